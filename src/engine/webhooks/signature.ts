import { bytesToHex } from '@noble/hashes/utils.js'
import { Hmac, isEqual } from '../hmac.js'
import { Recent } from '../recent.js'

/** How a signature is written into the request. */
export interface SignatureFormat {
  /** The header that carries it. */
  readonly header: string
  /** How the digest is spelled; hex is in lower case. */
  readonly encoding: 'hex' | 'base64'
  /** Stands before the digest, such as `sha256=`. */
  readonly prefix: string
}

type Encoding = Pick<SignatureFormat, 'encoding' | 'prefix'>

/** A webhook body: the exact bytes, or the text that they are the UTF-8 of. */
export type Payload = string | Uint8Array | ArrayBuffer

const BARE_HEX: Encoding = { encoding: 'hex', prefix: '' }

/**
 * Signs a webhook body: the HMAC-SHA256 of its bytes, keyed with the UTF-8 bytes of the whole secret.
 * @returns the value of the signature header, lower-case hex unless `format` says otherwise
 * @example
 * const signature = signPayload(body, 'whsec_local_signing_secret')
 */
export function signPayload(payload: Payload, secret: string, format: Partial<Encoding> = {}): string {
  const { encoding, prefix } = { ...BARE_HEX, ...format }
  const digest = hmacOf(secret).digest(payload instanceof ArrayBuffer ? new Uint8Array(payload) : payload)
  return prefix + (encoding === 'hex' ? bytesToHex(digest) : btoa(String.fromCharCode(...digest)))
}

/**
 * Tells whether a webhook's signature is the right one for its raw body, in a time that does not depend on
 * where they differ. A missing, malformed or empty signature is simply wrong.
 * @param payload the raw bytes of the body, before any JSON parser had them
 * @example
 * if (!verifySignature(rawBody, request.headers.get('x-service-signature'), secret)) return reject()
 */
export function verifySignature(
  payload: Payload,
  signature: string | null | undefined,
  secret: string,
  format: Partial<Encoding> = {},
): boolean {
  return typeof signature === 'string' && isEqual(signature, signPayload(payload, secret, format))
}

// A simulator signs with few secrets; what is beyond is made anew.
const remembered = new Recent<string, Hmac>(100)

function hmacOf(secret: string): Hmac {
  const known = remembered.get(secret)
  if (known !== undefined) return known
  const hmac = new Hmac(secret)
  remembered.set(secret, hmac)
  return hmac
}
