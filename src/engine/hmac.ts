import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

const encoder = new TextEncoder()

/**
 * Computes HMAC-SHA256 digests with one key, which it prepares once.
 *
 * WebCrypto returns promises and costs several times as much for a short message, and every poll of a finished task
 * signs a URL. Browsers also deny WebCrypto to pages without TLS. So this class uses a library.
 */
export class Hmac {
  readonly #keyed: ReturnType<typeof hmac.create>

  /** @param key bytes, or a text whose UTF-8 bytes are the key */
  constructor(key: string | Uint8Array) {
    this.#keyed = hmac.create(sha256, typeof key === 'string' ? encoder.encode(key) : key)
  }

  /** Returns the 32 bytes of the digest of bytes, or of a text's UTF-8. */
  digest(message: string | Uint8Array): Uint8Array {
    const mac = this.#keyed.clone()
    mac.update(typeof message === 'string' ? encoder.encode(message) : message)
    return mac.digest()
  }
}

/** Compares two texts in constant time. */
export function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++)
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index)
  return difference === 0
}
