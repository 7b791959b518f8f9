import { bytesToHex } from '@noble/hashes/utils.js'
import { Hmac, isEqual } from '../hmac.js'
import { Recent } from '../recent.js'

/** Signs the URLs of output files, and checks them when they come back. */
export class UrlSigner {
  readonly #hmac: Hmac
  /** A client that polls on within a second gets the same URL again. */
  readonly #signatures = new Recent<string, string>()

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
    const signed = `${path}?${expires}`
    const known = this.#signatures.get(signed)
    if (known !== undefined) return known
    const signature = bytesToHex(this.#hmac.digest(signed).subarray(0, 16))
    this.#signatures.set(signed, signature)
    return signature
  }
}
