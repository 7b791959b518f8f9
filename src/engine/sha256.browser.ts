import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as sha256InJs } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/* SHA-256 for browsers. This file replaces sha256.ts. */

const encoder = new TextEncoder()

/** Returns the SHA-256 of bytes as a string of 32 characters, one for each byte. */
export function sha256Text(bytes: Uint8Array): string {
  return String.fromCharCode(...sha256(bytes))
}

/** Returns the 32 bytes of the SHA-256 of bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return sha256InJs(bytes)
}

/** Computes HMAC-SHA256 digests with one key, which it prepares once. */
export class Hmac {
  readonly #keyed: ReturnType<typeof hmac.create>

  /** @param key bytes, or a string whose UTF-8 bytes are the key */
  constructor(key: string | Uint8Array) {
    this.#keyed = hmac.create(sha256InJs, typeof key === 'string' ? encoder.encode(key) : key)
  }

  /** Returns the 32 bytes of the digest of bytes, or of a string's UTF-8. */
  digest(message: string | Uint8Array): Uint8Array {
    const mac = this.#keyed.clone()
    mac.update(typeof message === 'string' ? encoder.encode(message) : message)
    return mac.digest()
  }

  /** Returns the digest in lower-case hex. */
  hex(message: string | Uint8Array): string {
    return bytesToHex(this.digest(message))
  }
}
