import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { KEPT_BYTES, PARTIAL } from '../../engine/webhooks/transport.js'

/** The first bytes of a decoded body, and why they are not all of it. */
export interface Decoded {
  readonly bytes: Buffer
  readonly partial: string | undefined
}

type NewDecoder = (beginning: Buffer) => Transform

// The beginning of a body need not be a whole one. A chunk is no larger than what is kept.
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

/** Whether the bytes of a Content-Encoding can be decoded. */
export function isDecodable(encoding: string): boolean {
  return DECODERS.has(encoding)
}

let turn: Promise<unknown> = Promise.resolve()

/**
 * Decodes the beginning of a body, no further than the bytes that are kept. One after the other: a decoder may
 * occupy 16 MB, however little it decodes.
 */
export function decodeBody(beginning: Buffer, encoding: string): Promise<Decoded> {
  const decoded = turn.then(() => decode(beginning, DECODERS.get(encoding)?.(beginning)))
  turn = decoded
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

/** Some servers send bare deflate data under this name, without the header of the zlib format. */
function isZlib([first = 0]: Buffer): boolean {
  return (first & 0x0f) === 8
}

/** Node 22.15 has it, and later versions. */
function zstdDecoder(): [string, NewDecoder][] {
  const { createZstdDecompress: create, constants } = zlib as unknown as {
    createZstdDecompress?: (options: object) => Transform
    constants: Readonly<Record<'ZSTD_e_flush' | 'ZSTD_d_windowLogMax', number>>
  }
  if (create === undefined) return []
  // RFC 9659: as a Content-Encoding, the window is at most 8 MB.
  const params = { [constants.ZSTD_d_windowLogMax]: 23 }
  return [['zstd', () => create({ chunkSize: KEPT_BYTES, finishFlush: constants.ZSTD_e_flush, params })]]
}
