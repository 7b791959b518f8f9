import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase64, toBase64Url } from '../../base64.js'
import type { JsonObject } from '../../json.js'
import { oncePer } from '../../recent.js'
import { sha256 } from '../../sha256.js'
import { DIALECT_SECRETS } from './signature.js'

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

/** The primes p and q of an RSA key of 2048 bits, in base64url. */
type Primes = readonly [p: string, q: string]

/** Keys of the secrets that a service has by default, of its forger, and of its previous secret. They protect nothing. */
const DEFAULT_PRIMES: readonly [secret: Primes, forger: Primes, previous: Primes] = [
  [
    'y-0lgMsltG0TfpuC1FrA26dJHKDFOMlFdzuFMZSwsVvokslkNg7u-42k-iWiWyeOvTfs2Nd3FP5SeycpA7buCB-lLTe2UzNMi8GjlHewE0KpDfpTFic6DQQ7s3DT3AL53voTX8IkQFcLASH8cxUw_pronRZDZ1_a0ihh-Sf4pIE',
    '9XIyoe4A1ZsR3yDlIgbZ2K17XXwKzsaIe1yELDz81tTNRwdl3BI_PeYbYOWV5ppztB2H3IBI277Am2MK_zohrZkGKW9z9jPJmyQUGwInxFR-_BekGHT07A1NpMXQTXciT0UolrZy8_iWrWysPl1vBOGOX6-iny2l6bDKukeAWFU',
  ],
  [
    '8HfeKJ11Jjhl3F_x0elNXAl1fIc48cx0u88LfG-SSYoc1B99BZ7FmWQSQ4ZjYQMwYTgXJN6b-51IYIwJovqsAdVAzvXwMYsxnbLtDhgbLEUSaG2YXx3n6NUYpT1gk7rjka_8VX181_unCtt68QoKGcFPJpQLQWUn2Bp95MA3Tfk',
    '-9Wnl2UG--ROm6xxFWZO8Vy_Nw7YeYZk-Q_TYGb1JfHvG29yI692IXu6-lZ8d4plBH17FXj-30RO2qyMFeSmxiONOGxJ4-7ary3REfTfCYMmeNBiH_DD1-_npvtepq9NlO2ooIcFVU-9hESyUnZngYouVUQOwVIERN-y85RhT3k',
  ],
  [
    '7LYyreWIh1zbJC3Js5LNVJSbtE9aEJFsmdIG0fg82IDNNh_pkEkvXFkXNGhGWqIJfEODmVPSasNPbJzzMvSm3XHZiH-qLcghvV5Nv_MJ6AaTAlJi9JKd9mEO_c6YkhCGK9AKbSOdN4vgDjl1PdFsBWtRW17MytG_uDIJdBjLwcs',
    '5Y77UQt92Qd9mJuz0-sirRHclBEKIdFuTUq7Rw4tA95iZjE51KpK_EDsZl8Hd_tCVb4G6ik1059bRANbkKSajF3x8wi3ymQEsycdwGG3zvDlMecBf24dv7qcLs72m6pzW6UE35lRhhkYlZycr9fkRP_zxzF7fZrg9nrW6skjy8c',
  ],
]

/** Keys for other secrets. */
const PRIMES: readonly Primes[] = [
  [
    '5up0-M1WwNRANGYAOxY1VfZdq6IcFrnJ08wGG0aTQG-0TTpgQ2O_8Ef62C2zmhCHaP5cqoNFoI3z-frfHJa1bInKRAG-Ll84vshZeF4kNN79ZpuAK1XLqACMiBSNdbEyiiVvIr9XdkPLFo66BfT5IX92Cd0R4cj_PEqN2NqRVJk',
    '4wvF78mPChI0iZbOVJqyCfYbXvyrh987IYlB5RMqd-ey4iKDPW8x36RgbLeASAjM2bxFim4HKONS2LUgMYVvwuX4eW3sJmrOBu0DZ-_2Je94SD7_y6wz6IbsHbOHalLRoCnpTWi2MKsr7xiiETC1OFLEYHXm2OZl14Fl5b_hMb8',
  ],
  [
    '5YRaMGgou51SvF1c2HNwB6q0zE_mU3nBuXJ6rJbuVV5hslf_pCudPeQ_JSFhvhI6xq0blwx2mb0tQgzg3Z5BP34Lq38AHxWrugkCMnIAnUH_cMFGP1ycTNbhofz6wcfP0w9F3XdKzqtkXXn3htyGCpw8A6_apmOEspONVu6VUWs',
    '6hMdoADckcHAF3wdqbDhUHebrOYbjucRrrRJm7CrMYN9zltSUfbnfIHUVqw93mNMNQ3a8h4j5B2V5pkX9Y7f613kyHy_hqOxjMUSD9LRT4OOonM7jH7sHL_L9kttLbfSBhX0RXtW29AudWKyZifoFwChzmHw7gBnLDLuEXEtqTM',
  ],
  [
    '0G6TPkPfDl7mKiItG2JPpBs54oh-AQFhWHDtYpUpzNBh2fQmsPeJQhFt-FTafLNRSJPJ-c76FIWDgAGeNG-y2mZomhGZbBp7jnEYxJNPd3dZWqPG7e17rP-F79vREdPwJrcafi5hQP_kCx1P_4ifMyniSPKHX2WY9673HPMW7q0',
    'yDaKVNRvB39Vw069_WtyA2FOtv4BfbO1tYZXAVjrDGxTu0Z8CNJG2cbEo0Izc-Q8GpeLljEvrnXJXWv4r9Cz8O3HT1UIQg46iqt2pi2jchUJ0Adrryo-oV28TRLpbnyqXMfEhqFeQ2f1prdgdDUMHO8SfE6dHJJOOosfhXwDoPs',
  ],
  [
    'x5JzLRSuHOx56WTxR3uJUY-z7muBmu9y9aQnO0mqnuDjaJTRR7WtSkFnxmGtEtrRGcZAGSKC-RGIU8i5X8VFzv7OuavH7KCfoQpGPe3dSJTS84W7DMX4asnhbSoPaZTEbS-W5IpzHfkvQ3dueNX1UbMJ_QYoLg8i6swu35Vbczk',
    '-qcke29BTF-wxTsdPYmuXj4-aC6HrhkUTdrx1anDOSsFNsGhlPBmMDolwEuDfHopvQxabp3s3b4CLXIM-jnFfFSvGidzE7fOx5UvhxVtyk-ny6hyGDd5dFY3inCR5miGWS7PBCa77L71-tbV2fLeoSJz3_aYq7u1TtPHOXz0n9s',
  ],
]

/** Keys for the forgers of other secrets. */
const PRIMES_OF_FORGERS: readonly Primes[] = [
  [
    '3smhTB_AW1bJ9OudAYnNXeHzR2tfwEdGos9aDL0nP8h7zyQxLLbMk2L8GV53lVXRZbcznZXDu7idFqSnfritXN7Hr1UCQuvvyzKpOvQIwZ_7GoVC5QDnD-gN0jDd4qcBYAJ3UVFFDc1_RdAC3qoIOeSzPCD876rKvyJFw_d13DU',
    '_HcKXZHusILqZgHSgckWKme665w9GLY7cDpYyTwS6liEsy7m4meIbskEUBssZF-iCJ0crhUMx51kpsDV4anqfZZBxfAFUC8dYIcT-xHLiQea5GsVEcjZ3KXsV7zjTOYdP7yTo3Z-G7Qty3wgztefQLgCjXwJOUhiYXJm3gDSN5c',
  ],
  [
    'zsuBfnOFi-2ILdzHhRdOj10F0XCVbgRAG2DVdSEmh-gazUZ4q9swDXSURUz2LLkGwBX03mPpUQRT2P0Wn9DEknk7HZXx4Rtlhjt65XjaYdBs-MxobS_w2vVaQaTmGId-5mewUGRhTApT-1ETlhG0_y2PLHzqXajhu-qkHrwleEU',
    '3TDYRF3yh_qVZFE3a9XUAUu1sXDfDGRL40EaQB8rigyMJc4zLooGSQEMylqBWxByxJfwQEJNuFl7br_CXvVu3q-oDoo8rPOqwMcEU9xhjqGvDQDC4cT-MXXOJ1RRn5NmMsSMsM7f5M6CQexllwDR9XfK5GnJvAoiSFx-xyISRcM',
  ],
  [
    '-b94scDXRe6eWRk76mPqNdamkhvHtRr_WUh4VbptVXf5ojli4hZohSiPyoOXWn8EMRmxonYy2jbNi3CHIIAxDmRyd5Pztrb0L98uVTdJZY5i14GJKT8gSOlvfL1qLcSOkqynpXLkk1QpOQRX9wiD3-658mrNh2WoZtAtDpMxjd0',
    'yhDeXC3AJrQTy_fTzNt4z9yAQcvOxDffYhH2G9YJVlHmB0eBEyV_58h0WES8ctaBiFgEm62NM-6kzk6_Fc6qnMyDRuq13v3EHp-NiaQglIrY2KqvrQlp9W6dFblkg0fRKHlDVms0X0xcCV-Oa6YVz9VaR6tC-iymnNNaqIpkyDM',
  ],
  [
    'yi8AkTSazsw1QQEK4lwubPtHaWaiOaunh_w7sm6qKh4udQ_0IhyB37UalKlAaeD5zPZetohQCYDuUX1LQq2GLE4LTjZEuBj70mR68zpKVNwKw82JqNIxjS6HzaW_t_skN6vTWaJxEjb857G-VUNVOmOnzWdNxLpIXtN-eA9aW30',
    '_Buo4LaPdDF8yyrdNZPFTvOaMRc3ceSj52WVrofGM6tJshao4BtWCwt1ryf5tR9VJq9uml4y7wtkwI0r5P0g2kyz1mSozyiGZiCwHRvsGzSvB9lpVm3zwj6ElY2ii74eVuEMCujxd90iEjs7mAoT2-wdtvy0WnqjPFzcPrvLYCM',
  ],
]
