import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as ofBrowsers from '../../src/engine/sha256.browser.js'
import * as ofNode from '../../src/engine/sha256.js'

/** Around the length of a block, and longer than any buffer that is kept. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.uint8Array({ minLength: 4_000, maxLength: 5_000 }),
)
const content = fc.oneof(bytes, fc.string({ unit: 'binary' }))

describe.each([
  ['Node', ofNode],
  ['browsers', ofBrowsers],
])('the implementation for %s', (_, { Hmac, sha256, sha256Text }) => {
  test('computes the SHA-256 of bytes, as bytes and as a text', () => {
    fc.assert(
      fc.property(bytes, (bytes) => {
        const digest = createHash('sha256').update(bytes).digest()
        expect(Buffer.from(sha256(bytes))).toEqual(digest)
        expect(sha256Text(bytes)).toBe(digest.toString('latin1'))
      }),
    )
  })

  test('computes HMACs with keys and messages of any length', () => {
    fc.assert(
      fc.property(content, fc.array(content, { minLength: 1, maxLength: 3 }), (key, messages) => {
        const hmac = new Hmac(key)
        for (const message of messages) {
          const digest = createHmac('sha256', key).update(message).digest()
          expect(Buffer.from(hmac.digest(message))).toEqual(digest)
          expect(hmac.hex(message)).toBe(digest.toString('hex'))
        }
      }),
    )
  })
})
