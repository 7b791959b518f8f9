import { createPublicKey, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { claimsIn } from '../../../../src/dialects/table/webhooks/sign.js'
import { RsaKey } from '../../../../src/engine/webhooks/signing/rsa-key.js'
import { DIALECT_SECRETS } from '../../../../src/engine/webhooks/signing/signature.js'

const { secret, previous_secret: previous } = DIALECT_SECRETS

it.each(['secret', secret, previous, `not ${secret}`])(
  'the RSA signer signs tokens with the key of %s, which another implementation verifies',
  async (text) => {
    const key = new RsaKey(text)
    const jwk = key.publicKey()
    expect(jwk).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB' })
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(2_048)
    const token = await key.token('{"aud":"wäves"}')
    const [header = '', claims, signature = ''] = token.split('.')
    const isGenuine = (text: string) =>
      verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
    expect([isGenuine(`${header}.${claims}`), isGenuine(`${header}.e30`)]).toEqual([true, false])
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      kid: jwk['kid'],
    })
    expect(claimsIn(token)).toEqual({ aud: 'wäves' })
    expect([claimsIn('v1,abc'), claimsIn('a.!.c')]).toEqual([undefined, undefined])
  },
)

it('a secret has one key, its forger has another, and ids of keys differ by secret', () => {
  const keyOf = (secret: string) => new RsaKey(secret).publicKey()
  expect(keyOf('secret')).toEqual(keyOf('secret'))
  for (const [one, other] of [
    ['secret', 'not secret'],
    [secret, `not ${secret}`],
    [secret, previous],
  ] as const)
    expect(keyOf(one)['n']).not.toBe(keyOf(other)['n'])
  const ids = Array.from({ length: 20 }, (_, index) => keyOf(`secret ${index}`)['kid'])
  expect(new Set(ids).size).toBe(20)
})
