import { bytesToHex } from '@noble/hashes/utils.js'
import { Hmac, isEqual } from '../hmac.js'

/** Signs the URLs of output files, and checks them when they come back. */
export class UrlSigner {
  readonly #hmac: Hmac

  constructor(key: string) {
    this.#hmac = new Hmac(key)
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
    if (!isEqual(query.get('signature') ?? '', this.#signature(path, expires))) return 'tampered'
    return now < Number(expires) * 1_000 ? 'valid' : 'expired'
  }

  #signature(path: string, expires: string): string {
    return bytesToHex(this.#hmac.digest(`${path}?${expires}`).subarray(0, 16))
  }
}
