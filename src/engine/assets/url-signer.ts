import { isEqual } from '../is-equal.js'
import { queryIn } from '../partition.js'
import { Hmac } from '../sha256.js'

/** Signs and verifies the URLs of output files. */
export class UrlSigner {
  readonly #hmac: Hmac
  readonly #partition: string | undefined

  /** @param partition the partition that URLs name, for load balancers */
  constructor(key: string, partition?: string) {
    this.#hmac = new Hmac(key)
    this.#partition = partition
  }

  /**
   * The query that makes a path valid until `expires`.
   * @param expires epoch milliseconds; rounded up to a whole second
   */
  sign(path: string, expires: number): string {
    const seconds = Math.ceil(expires / 1_000)
    return queryIn(this.#partition, `expires=${seconds}&signature=${this.#signature(path, String(seconds))}`)
  }

  /** Verifies a query from a client, which may have any content. */
  verify(path: string, query: URLSearchParams, now: number): 'valid' | 'expired' | 'tampered' {
    const expires = query.get('expires') ?? ''
    if (!isEqual(query.get('signature') ?? '', this.#signature(path, expires))) return 'tampered'
    return now < Number(expires) * 1_000 ? 'valid' : 'expired'
  }

  #signature(path: string, expires: string): string {
    return this.#hmac.hex(`${path}?${expires}`).slice(0, 32)
  }
}
