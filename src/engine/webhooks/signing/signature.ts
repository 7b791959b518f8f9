import { toBase64 } from '../../base64.js'
import { isEqual } from '../../digest.js'
import { Recent } from '../../recent.js'
import { Hmac } from '../../sha256.js'

/** The format of a signature in the request. */
export interface SignatureFormat {
  /** The header that carries it. */
  readonly header: string
  /** The encoding of the digest; hex is in lower case. */
  readonly encoding: 'hex' | 'base64'
  /** The text before the digest, such as `sha256=`. */
  readonly prefix: string
}

type Encoding = Pick<SignatureFormat, 'encoding' | 'prefix'>

/** A webhook body: the exact bytes, or their text in UTF-8. */
export type Payload = string | Uint8Array | ArrayBuffer

/**
 * Signs a webhook body: the HMAC-SHA256 of its bytes, keyed with the UTF-8 bytes of the whole secret.
 * @returns the value of the signature header, in lower-case hex by default
 * @example
 * const signature = signPayload(body, 'whsec_local_signing_secret')
 */
export function signPayload(payload: Payload, secret: string, format: Partial<Encoding> = {}): string {
  const { encoding = 'hex', prefix = '' } = format
  const hmac = hmacOf(secret)
  const message = payload instanceof ArrayBuffer ? new Uint8Array(payload) : payload
  return prefix + (encoding === 'hex' ? hmac.hex(message) : toBase64(hmac.digest(message)))
}

/**
 * Verifies the signature of a webhook's raw body in constant time. A missing, malformed or empty signature is wrong.
 * @param payload the raw bytes of the body, before any JSON parser
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

// Caches the derived keys of recent secrets, because a simulator uses few.
const hmacs = new Recent<string, Hmac>(100)

function hmacOf(secret: string): Hmac {
  const known = hmacs.get(secret)
  if (known !== undefined) return known
  const hmac = new Hmac(secret)
  hmacs.set(secret, hmac)
  return hmac
}

/**
 * The signing secrets of dialects for which neither the scenario nor their file has others. They are public too, and
 * `whsec_` with standard base64, because verifiers read any other form differently.
 */
export const DIALECT_SECRETS = {
  secret: 'whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA==',
  previous_secret: 'whsec_dGFza3NpbV9wcmV2aW91c19zaWduaW5nX3NlY3JldA==',
}
