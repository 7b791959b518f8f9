import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const encoder = new TextEncoder()

/**
 * Signs the URLs of output files. WebCrypto would make every poll of a finished task wait for a promise, so
 * this is the synchronous HMAC of a library, with the key's part of the work done once.
 */
export class UrlSigner {
  readonly #keyed: ReturnType<typeof hmac.create>

  constructor(key: string) {
    this.#keyed = hmac.create(sha256, encoder.encode(key))
  }

  /**
   * The query that makes a path a URL which is valid until `expires`.
   * @param expires epoch milliseconds; rounded up to a whole second
   */
  sign(path: string, expires: number): string {
    const seconds = Math.ceil(expires / 1_000)
    return `expires=${seconds}&signature=${this.#signature(path, String(seconds))}`
  }

  /** Checks what a client sent back; all that it sent may be missing or made up. */
  verify(path: string, query: URLSearchParams, now: number): 'valid' | 'expired' | 'tampered' {
    const expires = query.get('expires') ?? ''
    if (!equal(query.get('signature') ?? '', this.#signature(path, expires))) return 'tampered'
    return now < Number(expires) * 1_000 ? 'valid' : 'expired'
  }

  #signature(path: string, expires: string): string {
    const mac = this.#keyed.clone()
    mac.update(encoder.encode(`${path}?${expires}`))
    return bytesToHex(mac.digest().subarray(0, 16))
  }
}

/** Compares in a time that does not depend on where two strings differ. */
function equal(given: string, right: string): boolean {
  let difference = given.length ^ right.length
  for (let index = 0; index < right.length; index++)
    difference |= given.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}
