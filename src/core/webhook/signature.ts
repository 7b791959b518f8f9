/** How a signature is written into the request. */
export interface SignatureFormat {
  /** The header that carries it. */
  readonly header: string
  readonly encoding: 'hex' | 'base64'
  /** Stands before the digest, such as `sha256=`. */
  readonly prefix: string
}

type Encoding = Pick<SignatureFormat, 'encoding' | 'prefix'>

/** A webhook body: the exact bytes, or the text that they are the UTF-8 of. */
export type Payload = string | Uint8Array | ArrayBuffer

const encoder = new TextEncoder()
const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const BARE_HEX: Encoding = { encoding: 'hex', prefix: '' }

/**
 * Signs a webhook body: the HMAC-SHA256 of its bytes, keyed with the UTF-8 bytes of the whole secret.
 * @returns the value of the signature header, lower-case hex unless `format` says otherwise
 * @example
 * const signature = await signPayload(body, 'whsec_local_signing_secret')
 */
export async function signPayload(
  payload: Payload,
  secret: string,
  format: Partial<Encoding> = {},
): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.sign(HMAC.name, await keyOf(secret), bytesOf(payload)))
  const { encoding, prefix } = { ...BARE_HEX, ...format }
  return prefix + (encoding === 'hex' ? toHex(digest) : btoa(String.fromCharCode(...digest)))
}

/**
 * Tells whether a webhook's signature is the right one for its raw body, in a time that does not depend on
 * where they differ. A missing, malformed or empty signature is simply wrong.
 * @param payload the raw bytes of the body, before any JSON parser had them
 * @example
 * if (!(await verifySignature(rawBody, request.headers.get('x-service-signature'), secret))) return reject()
 */
export async function verifySignature(
  payload: Payload,
  signature: string | null | undefined,
  secret: string,
  format: Partial<Encoding> = {},
): Promise<boolean> {
  const { encoding, prefix } = { ...BARE_HEX, ...format }
  if (!signature?.startsWith(prefix)) return false
  const digest = decode(signature.slice(prefix.length), encoding)
  return (
    digest !== undefined && crypto.subtle.verify(HMAC.name, await keyOf(secret), digest, bytesOf(payload))
  )
}

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>
const keys = new Map<string, Promise<HmacKey>>()

/** Importing a key costs as much as a signature, and a simulator signs with few. */
function keyOf(secret: string): Promise<HmacKey> {
  let key = keys.get(secret)
  if (key === undefined) {
    // WebCrypto refuses an empty key; HMAC pads a short key with zeros, so one zero byte is the same key.
    const raw = secret === '' ? new Uint8Array(1) : encoder.encode(secret)
    key = crypto.subtle.importKey('raw', raw, HMAC, false, ['sign', 'verify'])
    if (keys.size >= 100) keys.clear()
    keys.set(secret, key)
  }
  return key
}

function bytesOf(payload: Payload): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return encoder.encode(payload)
  return new Uint8Array(payload as ArrayBuffer)
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function decode(text: string, encoding: SignatureFormat['encoding']): Uint8Array<ArrayBuffer> | undefined {
  if (encoding === 'hex') {
    if (!/^[0-9a-f]{64}$/.test(text)) return undefined
    return Uint8Array.from({ length: 32 }, (_, index) =>
      Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
    )
  }
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
