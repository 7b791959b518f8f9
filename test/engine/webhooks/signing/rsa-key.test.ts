import { createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { claimsIn } from '../../../../src/engine/webhooks/signing/jwt-claims.js'
import { RsaKey } from '../../../../src/engine/webhooks/signing/rsa-key.js'
import { inverseOf, isProbablyPrime } from '../../../../src/engine/webhooks/signing/rsa-primes.js'
import { DIALECT_SECRETS } from '../../../../src/scenario/model/defaults.js'

const { secret, previous_secret: previous } = DIALECT_SECRETS

it.each(['secret', secret, previous, `not ${secret}`])(
  'signs tokens with the key of %s, which another implementation verifies',
  async (text) => {
    const key = new RsaKey(text)
    const jwk = await key.publicKey()
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

it('has one key for each secret', async () => {
  const [one, same, other] = await Promise.all(
    ['secret', 'secret', 'not secret'].map((secret) => new RsaKey(secret).publicKey()),
  )
  expect(same).toEqual(one)
  expect(other?.['n']).not.toBe(one?.['n'])
})

it('knows primes, and inverts numbers', () => {
  const isPrime = (number: number) => {
    for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false
    return true
  }
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 500_000 }), (half) => {
      const number = 2 * half + 1
      expect(isProbablyPrime(BigInt(number))).toBe(isPrime(number))
    }),
  )
  const prime = 1_000_003n
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: prime - 1n }), (number) => {
      expect((number * inverseOf(number, prime)) % prime).toBe(1n)
    }),
  )
})
