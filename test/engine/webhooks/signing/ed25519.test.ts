import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Ed25519Key } from '../../../../src/engine/webhooks/signing/ed25519.js'
import { runs } from '../../../support/deep.js'

/** The start of a private key in PKCS #8; the seed follows. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

test('a signature is that of Node with the hash of the secret as the seed', async () => {
  const text = fc.string({ unit: 'grapheme' })
  await fc.assert(
    fc.asyncProperty(text, text, async (text, secret) => {
      const seed = createHash('sha256').update(secret).digest()
      const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
      const expected = sign(null, Buffer.from(text), key)
      expect(await new Ed25519Key(secret).sign(text, 'hex')).toBe(expected.toString('hex'))
      expect(await new Ed25519Key(secret).sign(text, 'base64')).toBe(expected.toString('base64'))
    }),
    { numRuns: runs(10, 100) },
  )
})

test('the public key verifies the signatures of its secret alone', async () => {
  const own = new Ed25519Key('secret')
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: await own.publicKey() }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const verifies = async (signed: string, by: Ed25519Key) =>
    verify(null, Buffer.from('text'), key, Buffer.from(await by.sign(signed, 'hex'), 'hex'))
  expect(await verifies('text', own)).toBe(true)
  expect(await verifies('texts', own)).toBe(false)
  expect(await verifies('text', new Ed25519Key('not secret'))).toBe(false)
  expect(jwk.x).toMatch(/^[\w-]{43}$/)
})
