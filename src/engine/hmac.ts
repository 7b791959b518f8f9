import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

const encoder = new TextEncoder()

/**
 * Makes HMAC-SHA256 digests with one key, whose part of the work is done once.
 *
 * A library's, not WebCrypto's: that answers with promises and costs several times as much for a short message,
 * and every poll of a finished task signs a URL. Browsers also keep WebCrypto from pages without TLS.
 */
export class Hmac {
  readonly #keyed: ReturnType<typeof hmac.create>

  /** @param key its UTF-8 bytes are the key */
  constructor(key: string) {
    this.#keyed = hmac.create(sha256, encoder.encode(key))
  }

  /** The 32 bytes of the digest of some bytes, or of the UTF-8 of a text. */
  digest(message: string | Uint8Array): Uint8Array {
    const mac = this.#keyed.clone()
    mac.update(typeof message === 'string' ? encoder.encode(message) : message)
    return mac.digest()
  }
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isEqual(given: string, right: string): boolean {
  let difference = given.length ^ right.length
  for (let index = 0; index < right.length; index++)
    difference |= given.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}
