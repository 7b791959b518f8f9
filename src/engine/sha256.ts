import { hash } from 'node:crypto'

/*
 * SHA-256 for Node. Browsers get sha256.browser.ts with the same exports: bundlers by the `browser` field of
 * package.json, the compiler by `moduleSuffixes`. WebCrypto has it, too, but returns promises, costs several times as
 * much for a short message, and is denied to pages without TLS.
 */

const DIGEST_BYTES = 32
/** The block of SHA-256, which contains the key of an HMAC. */
const BLOCK_BYTES = 64

const encoder = new TextEncoder()
/** Holds the key and a short message of an HMAC. */
const scratch = new Uint8Array(4_096)
const scratchMessage = scratch.subarray(BLOCK_BYTES)

/** Returns the SHA-256 of bytes as a string of 32 characters, one for each byte. */
export function sha256Text(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'binary')
}

/** Returns the 32 bytes of the SHA-256 of bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  // Node takes three times as long to create a buffer for a digest as to hash a short message.
  const digest = new Uint8Array(DIGEST_BYTES)
  putBytes(sha256Text(bytes), digest, 0)
  return digest
}

/**
 * Computes HMAC-SHA256 digests with one key, which it prepares once (RFC 2104). Node's `createHmac` takes twice as
 * long for a short message, because it creates an object for each digest.
 */
export class Hmac {
  readonly #inner = new Uint8Array(BLOCK_BYTES)
  /** The key of the outer hash, and the inner digest. */
  readonly #outer = new Uint8Array(BLOCK_BYTES + DIGEST_BYTES)

  /** @param key bytes, or a string whose UTF-8 bytes are the key */
  constructor(key: string | Uint8Array) {
    const bytes = bytesOf(key)
    const block = new Uint8Array(BLOCK_BYTES)
    block.set(bytes.length > BLOCK_BYTES ? sha256(bytes) : bytes)
    for (const [index, byte] of block.entries()) {
      this.#inner[index] = byte ^ 0x36
      this.#outer[index] = byte ^ 0x5c
    }
  }

  /** Returns the 32 bytes of the digest of bytes, or of a string's UTF-8. */
  digest(message: string | Uint8Array): Uint8Array {
    return sha256(this.#outerBytes(message))
  }

  /** Returns the digest in lower-case hex. */
  hex(message: string | Uint8Array): string {
    return hash('sha256', this.#outerBytes(message), 'hex')
  }

  /** The bytes whose SHA-256 is the digest of a message. They are valid until the next call. */
  #outerBytes(message: string | Uint8Array): Uint8Array {
    putBytes(sha256Text(this.#innerBytes(message)), this.#outer, BLOCK_BYTES)
    return this.#outer
  }

  /** The inner key and the message. They are valid until the next call. */
  #innerBytes(message: string | Uint8Array): Uint8Array {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (typeof message === 'string' && 3 * message.length <= scratchMessage.length) {
      scratch.set(this.#inner)
      return scratch.subarray(0, BLOCK_BYTES + encoder.encodeInto(message, scratchMessage).written)
    }
    const bytes = bytesOf(message)
    const length = BLOCK_BYTES + bytes.length
    const whole = length <= scratch.length ? scratch.subarray(0, length) : new Uint8Array(length)
    whole.set(this.#inner)
    whole.set(bytes, BLOCK_BYTES)
    return whole
  }
}

/** Puts a string with one character for each byte into an array. */
function putBytes(text: string, target: Uint8Array, start: number): void {
  for (let index = 0; index < text.length; index++) target[start + index] = text.charCodeAt(index)
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? encoder.encode(content) : content
}
