import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { KEPT_BYTES, PARTIAL } from '../../engine/webhooks/attempts/transport.js'

/** The first bytes of a decoded body, and the reason if the rest is missing. */
export interface Decoded {
  readonly bytes: Buffer
  readonly partial: string | undefined
}

type NewDecoder = (beginning: Buffer) => Transform

// These flush modes accept a truncated body. No chunk is larger than the kept bytes.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
const OPTIONS = { chunkSize: KEPT_BYTES, finishFlush: Z_SYNC_FLUSH }

const DECODERS: ReadonlyMap<string, NewDecoder> = new Map([
  ['gzip', () => zlib.createGunzip(OPTIONS)],
  ['x-gzip', () => zlib.createGunzip(OPTIONS)],
  [
    'deflate',
    (beginning: Buffer) => (isZlib(beginning) ? zlib.createInflate : zlib.createInflateRaw)(OPTIONS),
  ],
  ['br', () => zlib.createBrotliDecompress({ chunkSize: KEPT_BYTES, finishFlush: BROTLI_OPERATION_FLUSH })],
  ...zstdDecoder(),
])

/** Whether a Content-Encoding is supported. */
export function isDecodable(encoding: string): boolean {
  return DECODERS.has(encoding)
}

let queue: Promise<unknown> = Promise.resolve()

/**
 * Decodes the beginning of a body, up to the kept bytes. Bodies are decoded one after the other, because each decoder
 * may allocate 16 MB.
 */
export function decodeBody(beginning: Buffer, encoding: string): Promise<Decoded> {
  const decoded = queue.then(() => decode(beginning, DECODERS.get(encoding)?.(beginning)))
  queue = decoded
  return decoded
}

function decode(beginning: Buffer, decoder: Transform | undefined): Promise<Decoded> {
  if (decoder === undefined) return Promise.resolve({ bytes: beginning, partial: undefined })
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let size = 0
    const end = (partial?: string) => {
      decoder.destroy()
      resolve({ bytes: Buffer.concat(pieces).subarray(0, KEPT_BYTES), partial })
    }
    decoder.on('data', (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size > KEPT_BYTES) end(PARTIAL.long)
    })
    decoder.on('end', () => end()).on('error', () => end(PARTIAL.undecodable))
    decoder.end(beginning)
  })
}

/** Whether the data has a zlib header. Some servers send raw deflate data as `deflate`. */
function isZlib([first = 0]: Buffer): boolean {
  return (first & 0x0f) === 8
}

/** Available from Node 22.15. */
function zstdDecoder(): [string, NewDecoder][] {
  const { createZstdDecompress: create, constants } = zlib as unknown as {
    createZstdDecompress?: (options: object) => Transform
    constants: Readonly<Record<'ZSTD_e_flush' | 'ZSTD_d_windowLogMax', number>>
  }
  if (create === undefined) return []
  // RFC 9659 limits the window of a Content-Encoding to 8 MB.
  const params = { [constants.ZSTD_d_windowLogMax]: 23 }
  return [['zstd', () => create({ chunkSize: KEPT_BYTES, finishFlush: constants.ZSTD_e_flush, params })]]
}
