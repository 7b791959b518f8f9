import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { DIALECT_SECRETS } from '../../../scenario/model/defaults.js'
import { fromBase64, toBase64Url } from '../../base64.js'
import type { JsonObject } from '../../json.js'
import { oncePer } from '../../once-per.js'
import { sha256 } from '../../sha256.js'
import { DEFAULT_PRIMES, PRIMES, PRIMES_OF_FORGERS, type Primes } from './rsa-primes.js'

const EXPONENT = 65_537n
const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const

/** The private key as a JSON Web Key (RFC 7518), and its thumbprint. */
interface Pair {
  readonly jwk: Readonly<Record<'kty' | 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', string>>
  readonly kid: string
}

/**
 * Signs JSON Web Tokens with RS256 (RFC 7518). It is loaded on first use, because few services sign this way.
 *
 * It signs with WebCrypto, so in a browser the page must come from `https:` or `localhost`.
 */
export class RsaKey {
  readonly #pair: Pair

  /** @param secret a string that selects one of a few published key pairs of 2048 bits, which protect nothing */
  constructor(secret: string) {
    this.#pair = pairOf(secret)
  }

  /** The public key as a JSON Web Key, for a JSON Web Key Set (RFC 7517). */
  publicKey(): JsonObject {
    const { jwk, kid } = this.#pair
    return { kty: jwk.kty, use: 'sig', alg: 'RS256', kid, n: jwk.n, e: jwk.e }
  }

  /** Signs claims, which are JSON, as a JSON Web Token (RFC 7519). */
  async token(claims: string): Promise<string> {
    const { jwk, kid } = this.#pair
    const header = JSON.stringify({ alg: 'RS256', typ: 'JWT', kid })
    const text = `${toBase64Url(utf8ToBytes(header))}.${toBase64Url(utf8ToBytes(claims))}`
    const key = await crypto.subtle.importKey('jwk', jwk, ALGORITHM, false, ['sign'])
    const signature = await crypto.subtle.sign(ALGORITHM, key, new Uint8Array(utf8ToBytes(text)))
    return `${text}.${toBase64Url(new Uint8Array(signature))}`
  }
}

const { secret: DEFAULT, previous_secret: PREVIOUS } = DIALECT_SECRETS
/** The start of a secret with which a forger signs. */
const FORGER = 'not '

/** The key pair of a secret. Other secrets share a few keys, so the id of a key also depends on the secret. */
function pairOf(secret: string): Pair {
  const index = [DEFAULT, FORGER + DEFAULT, PREVIOUS].indexOf(secret)
  const [known] = DEFAULT_PRIMES.slice(index === -1 ? DEFAULT_PRIMES.length : index)
  if (known !== undefined) {
    const jwk = keyOf(known)
    return { jwk, kid: thumbprintOf(jwk) }
  }
  const digest = sha256(utf8ToBytes(secret))
  const others = secret.startsWith(FORGER) ? PRIMES_OF_FORGERS : PRIMES
  const primes = others[(digest[0] ?? 0) % others.length] ?? DEFAULT_PRIMES[0]
  return { jwk: keyOf(primes), kid: toBase64Url(digest) }
}

/** The key with two primes. */
const keyOf = oncePer(([primeP, primeQ]: Primes): Pair['jwk'] => {
  const [p, q] = [numberIn(primeP), numberIn(primeQ)]
  const d = inverseOf(EXPONENT, (p - 1n) * (q - 1n))
  return {
    kty: 'RSA',
    n: numberText(p * q),
    e: numberText(EXPONENT),
    d: numberText(d),
    p: primeP,
    q: primeQ,
    dp: numberText(d % (p - 1n)),
    dq: numberText(d % (q - 1n)),
    qi: numberText(inverseOf(q, p)),
  }
})

/** The thumbprint of RFC 7638. */
function thumbprintOf({ e, kty, n }: Pair['jwk']): string {
  return toBase64Url(sha256(utf8ToBytes(JSON.stringify({ e, kty, n }))))
}

/** The inverse of a number: their product is 1 more than a multiple of the modulus. */
function inverseOf(number: bigint, modulus: bigint): bigint {
  let [rest, next, factor, nextFactor] = [number, modulus, 1n, 0n]
  while (next !== 0n) {
    const quotient = rest / next
    ;[rest, next] = [next, rest - quotient * next]
    ;[factor, nextFactor] = [nextFactor, factor - quotient * nextFactor]
  }
  return ((factor % modulus) + modulus) % modulus
}

function numberIn(text: string): bigint {
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')) ?? new Uint8Array()
  return BigInt(`0x${bytesToHex(bytes)}`)
}

/** The big-endian bytes of a number, in base64url. */
function numberText(number: bigint): string {
  const hex = number.toString(16)
  return toBase64Url(hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`))
}
