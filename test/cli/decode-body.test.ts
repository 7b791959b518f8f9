import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeBody, isDecodable } from '../../src/cli/transport/decode-body.js'
import { PARTIAL } from '../../src/engine/webhooks/attempts/transport.js'

type Encode = (bytes: Buffer) => Buffer

/** Available since Node 22.15. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: Encode }

const ENCODINGS: readonly [string, string, Encode][] = [
  ['gzip', 'gzip', zlib.gzipSync],
  ['x-gzip', 'x-gzip', zlib.gzipSync],
  ['deflate', 'deflate', zlib.deflateSync],
  ['deflate without a zlib header', 'deflate', zlib.deflateRawSync],
  ['br', 'br', zlib.brotliCompressSync],
  ...(zstdCompressSync === undefined ? [] : [['zstd', 'zstd', zstdCompressSync] as const]),
] as [string, string, Encode][]

const SHORT = Buffer.from('{"ok":true}')
/** Incompressible, so that half of the encoded bytes decode to about half of it. */
const NOISE = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * index * 7919) % 251))

describe.each(ENCODINGS)('%s', (_, encoding, encode) => {
  test('decodes a short body in full', async () => {
    expect(await decodeBody(encode(SHORT), encoding)).toEqual({ bytes: SHORT, partial: undefined })
  })

  test('decodes a body that unpacks to megabytes only up to the stored size', async () => {
    const bomb = encode(Buffer.alloc(2 ** 22, 'x'))
    const { bytes, partial } = await decodeBody(bomb.subarray(0, 8_192), encoding)
    expect([String(bytes), partial]).toEqual(['x'.repeat(4_096), PARTIAL.long])
  })

  test('decodes a truncated body as far as possible, without an error', async () => {
    const encoded = encode(NOISE)
    const { bytes } = await decodeBody(encoded.subarray(0, encoded.length - 10), encoding)
    expect(NOISE.subarray(0, bytes.length).equals(bytes)).toBe(true)
  })

  test('reports a body in another encoding as undecodable', async () => {
    const { partial } = await decodeBody(Buffer.alloc(100, 0xff), encoding)
    expect(partial).toBe(PARTIAL.undecodable)
  })
})

test('a body with an unknown or missing encoding stays unchanged', () => {
  expect(['identity', '', 'constructor'].map(isDecodable)).toEqual([false, false, false])
})
