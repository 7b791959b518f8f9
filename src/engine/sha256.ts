import { createHmac, createSecretKey, hash } from 'node:crypto'

/*
 * SHA-256 for Node. Browsers get sha256.browser.ts with the same exports: bundlers by the `browser` field of package.json,
 * the compiler by `moduleSuffixes`. WebCrypto has it, too, but returns promises, costs several times as much for a short
 * message, and is denied to pages without TLS.
 */

/** Returns the 32 bytes of the SHA-256 of bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}

/** Computes HMAC-SHA256 digests with one key, which it prepares once. */
export class Hmac {
  readonly #key

  /** @param key bytes, or a text whose UTF-8 bytes are the key */
  constructor(key: string | Uint8Array) {
    this.#key = createSecretKey(typeof key === 'string' ? Buffer.from(key) : key)
  }

  /** Returns the 32 bytes of the digest of bytes, or of a text's UTF-8. */
  digest(message: string | Uint8Array): Uint8Array {
    return createHmac('sha256', this.#key).update(message).digest()
  }

  /** Returns the digest in lower-case hex. */
  hex(message: string | Uint8Array): string {
    return createHmac('sha256', this.#key).update(message).digest('hex')
  }
}
