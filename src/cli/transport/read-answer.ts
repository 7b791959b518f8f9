import type { IncomingMessage } from 'node:http'
import { startTimer } from '../../engine/clock/system-clock.js'
import type { Answer } from '../../engine/webhooks/delivery.js'
import { type Beginning, KEPT_BYTES, PARTIAL } from '../../engine/webhooks/transport.js'
import { type Decoded, decodeBody, isDecodable } from './decode-body.js'

/** Reads what a receiver answered, with the beginning of the body as text. */
export async function readAnswer(incoming: IncomingMessage, signal: AbortSignal): Promise<Answer> {
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    ),
    ...(await beginningOf(incoming, signal)),
  }
}

/** Enough of a body for {@link KEPT_BYTES} decoded ones: an encoder may make it a little longer than it was. */
const ENCODED_BYTES = 2 * KEPT_BYTES

/** An answer whose body breaks off is an answer: its status has come. */
async function beginningOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Beginning> {
  const encoding = incoming.headers['content-encoding']?.toLowerCase() ?? ''
  if (!isDecodable(encoding)) return shown(await read(incoming, KEPT_BYTES, signal))
  const encoded = await read(incoming, ENCODED_BYTES, signal)
  const decoding = decodeBody(encoded.bytes, encoding)
  const decoded = await (signal.aborted ? Promise.race([decoding, soonNothing()]) : decoding)
  return shown({ bytes: decoded.bytes, partial: decoded.partial ?? encoded.partial })
}

/**
 * Reads the first bytes of a body as they come, and leaves the rest. They are copied, because a piece of a body is
 * a view of a buffer that may be much larger.
 */
function read(incoming: IncomingMessage, most: number, signal: AbortSignal): Promise<Decoded> {
  return new Promise((resolve) => {
    let kept: Buffer | undefined
    let size = 0
    const end = (partial?: string) => resolve({ bytes: kept?.subarray(0, size) ?? Buffer.alloc(0), partial })
    incoming.on('data', (piece: Buffer) => {
      kept ??= Buffer.allocUnsafeSlow(most)
      const isAll = size + piece.length <= most
      size += piece.copy(kept, size)
      if (isAll) return
      incoming.destroy()
      end(PARTIAL.long)
    })
    incoming.on('end', () => end())
    incoming.on('error', () => end(signal.aborted ? PARTIAL.timeout : PARTIAL.cut))
  })
}

/** In real milliseconds: well before the sender stops waiting for a transport whose attempt it has aborted. */
const LAST_MOMENT = 5

function soonNothing(): Promise<Decoded> {
  return new Promise((resolve) => {
    startTimer(LAST_MOMENT, () => resolve({ bytes: Buffer.alloc(0), partial: undefined }), true)
  })
}

/** As text, without the last character if a part of it is missing. */
function shown({ bytes, partial }: Decoded): Beginning {
  const isCut = partial !== undefined
  return { body: bytes.length === 0 ? '' : new TextDecoder().decode(bytes, { stream: isCut }), partial }
}
