import { createHmac, createSecretKey, hash } from 'node:crypto'

/*
 * SHA-256 for Node. Browsers get sha256.browser.ts with the same exports: bundlers by the `browser` field of package.json,
 * the compiler by `moduleSuffixes`. WebCrypto has it, too, but returns promises, costs several times as much for a short
 * message, and is denied to pages without TLS.
 */

const DIGEST_BYTES = 32

/** Returns the 32 bytes of the SHA-256 of bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  // Node takes three times as long to create a buffer for a digest as to hash a short message.
  const text = hash('sha256', bytes, 'binary')
  const digest = new Uint8Array(DIGEST_BYTES)
  for (let index = 0; index < DIGEST_BYTES; index++) digest[index] = text.charCodeAt(index)
  return digest
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
