import type { IncomingMessage } from 'node:http'
import { startTimer } from '../../engine/clock/system-clock.js'
import { type Beginning, KEPT_BYTES, PARTIAL } from '../../engine/webhooks/attempts/transport.js'
import type { Answer } from '../../engine/webhooks/deliveries/delivery.js'
import { type Decoded, decodeBody, isDecodable } from './decode-body.js'

/** Reads the response of a receiver, with the beginning of the body as text. */
export async function readAnswer(incoming: IncomingMessage, signal: AbortSignal): Promise<Answer> {
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    ),
    ...(await beginningOf(incoming, signal)),
  }
}

/** Enough encoded bytes for {@link KEPT_BYTES} decoded bytes. Encoded data may be longer than decoded data. */
const ENCODED_BYTES = 2 * KEPT_BYTES

/** Reads the beginning of the body. A truncated body is not an error, because the status arrived. */
async function beginningOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Beginning> {
  const encoding = incoming.headers['content-encoding']?.toLowerCase() ?? ''
  if (!isDecodable(encoding)) return toText(await read(incoming, KEPT_BYTES, signal))
  const encoded = await read(incoming, ENCODED_BYTES, signal)
  const decoding = decodeBody(encoded.bytes, encoding)
  const decoded = await (signal.aborted ? Promise.race([decoding, emptyAfterGrace()]) : decoding)
  return toText({ bytes: decoded.bytes, partial: decoded.partial ?? encoded.partial })
}

/**
 * Reads the first bytes of a body. It copies them, because each piece is a view of a buffer that may be much larger.
 */
function read(incoming: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Decoded> {
  return new Promise((resolve) => {
    let kept: Buffer | undefined
    let size = 0
    const end = (partial?: string) => resolve({ bytes: kept?.subarray(0, size) ?? Buffer.alloc(0), partial })
    incoming.on('data', (piece: Buffer) => {
      kept ??= Buffer.allocUnsafeSlow(maxBytes)
      const isAll = size + piece.length <= maxBytes
      size += piece.copy(kept, size)
      if (isAll) return
      incoming.destroy()
      end(PARTIAL.long)
    })
    incoming.on('end', () => end())
    incoming.on('error', () => end(signal.aborted ? PARTIAL.timeout : PARTIAL.cut))
  })
}

/** Real milliseconds to finish decoding after an abort; the sender waits longer than this. */
const ABORT_GRACE = 5

function emptyAfterGrace(): Promise<Decoded> {
  return new Promise((resolve) => {
    startTimer(ABORT_GRACE, () => resolve({ bytes: Buffer.alloc(0), partial: undefined }), true)
  })
}

/** Converts the bytes to text, without a truncated last character. */
function toText({ bytes, partial }: Decoded): Beginning {
  const isCut = partial !== undefined
  return { body: bytes.length === 0 ? '' : new TextDecoder().decode(bytes, { stream: isCut }), partial }
}
