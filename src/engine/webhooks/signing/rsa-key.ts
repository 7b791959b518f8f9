import { utf8ToBytes } from '@noble/hashes/utils.js'
import { DIALECT_SECRETS } from '../../../scenario/model/defaults.js'
import { toBase64Url } from '../../base64.js'
import type { JsonObject } from '../../json.js'
import { Chance } from '../../random.js'
import { Recent } from '../../recent.js'
import { sha256 } from '../../sha256.js'
import { drawPrime, inverseOf } from './rsa-primes.js'

const BITS = 2_048
const EXPONENT = 65_537n
const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const

/** The private key as a JSON Web Key (RFC 7518), and its thumbprint. */
interface Pair {
  readonly jwk: Readonly<Record<'kty' | 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', string>>
  readonly kid: string
}

/** The steps to the primes of the default secrets, and of the one that forges, because a search takes a while. */
const STEPS: ReadonlyMap<string, readonly [p: number, q: number]> = new Map([
  [DIALECT_SECRETS.secret, [100, 1_486]],
  [`not ${DIALECT_SECRETS.secret}`, [284, 920]],
  [DIALECT_SECRETS.previous_secret, [396, 796]],
])

/** The keys of recent secrets, because a simulator uses few, and computing one takes up to a second. */
const pairs = new Recent<string, Promise<Pair>>(20)

/**
 * Signs JSON Web Tokens with RS256 (RFC 7518). It is loaded on first use, because few services sign this way.
 *
 * It signs with WebCrypto, so in a browser the page must come from `https:` or `localhost`.
 */
export class RsaKey {
  readonly #pair: Promise<Pair>

  /** @param secret a text that determines the key pair of 2048 bits. The pair is for tests, and protects nothing */
  constructor(secret: string) {
    const pair = pairs.get(secret) ?? newPair(secret)
    pairs.set(secret, pair)
    this.#pair = pair
  }

  /** The public key as a JSON Web Key, for a JSON Web Key Set (RFC 7517). */
  async publicKey(): Promise<JsonObject> {
    const { jwk, kid } = await this.#pair
    return { kty: jwk.kty, use: 'sig', alg: 'RS256', kid, n: jwk.n, e: jwk.e }
  }

  /** Signs claims, which are JSON, as a JSON Web Token (RFC 7519). */
  async token(claims: string): Promise<string> {
    const { jwk, kid } = await this.#pair
    const header = JSON.stringify({ alg: 'RS256', typ: 'JWT', kid })
    const text = `${toBase64Url(utf8ToBytes(header))}.${toBase64Url(utf8ToBytes(claims))}`
    const key = await crypto.subtle.importKey('jwk', jwk, ALGORITHM, false, ['sign'])
    const signature = await crypto.subtle.sign(ALGORITHM, key, new Uint8Array(utf8ToBytes(text)))
    return `${text}.${toBase64Url(new Uint8Array(signature))}`
  }
}

async function newPair(secret: string): Promise<Pair> {
  const chance = Chance.of(`rsa\0${secret}`)
  const [stepOfP, stepOfQ] = STEPS.get(secret) ?? []
  const [p, q] = [
    await drawPrime(chance.stream('p'), BITS / 2, EXPONENT, stepOfP),
    await drawPrime(chance.stream('q'), BITS / 2, EXPONENT, stepOfQ),
  ]
  const d = inverseOf(EXPONENT, (p - 1n) * (q - 1n))
  const [n, e] = [numberText(p * q), numberText(EXPONENT)]
  const jwk = {
    kty: 'RSA',
    n,
    e,
    d: numberText(d),
    p: numberText(p),
    q: numberText(q),
    dp: numberText(d % (p - 1n)),
    dq: numberText(d % (q - 1n)),
    qi: numberText(inverseOf(q, p)),
  }
  // The thumbprint of RFC 7638.
  return { jwk, kid: toBase64Url(sha256(utf8ToBytes(JSON.stringify({ e, kty: 'RSA', n })))) }
}

/** The big-endian bytes of a number, in base64url. */
function numberText(number: bigint): string {
  const hex = number.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  return toBase64Url(Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
}
