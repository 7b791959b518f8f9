import { pathInFiles } from './asset.js'
import { type Access, UrlSigner } from './outputs.js'
import type { Upload } from './upload.js'

/** The signed URLs of uploads. */
export class UploadUrls {
  readonly #signer: UrlSigner
  readonly #sandbox: string | undefined

  /**
   * @param key signs the URLs
   * @param sandbox the id of the sandbox, for the paths of its files
   * @param partition the partition of the server, for the URLs of files
   */
  constructor(key: string, sandbox: string | undefined, partition: string | undefined) {
    this.#signer = new UrlSigner(key, partition)
    this.#sandbox = sandbox
  }

  /** The path of an upload, without origin and signature. In a sandbox, it contains the id of the sandbox. */
  pathOf({ id, name }: Upload): string {
    return pathInFiles(`uploads/${id}/${encodeURIComponent(name)}`, this.#sandbox)
  }

  /**
   * The signed URL of an upload, which is valid until the upload expires.
   * @param origin the start of the URL: scheme, host and mount path
   */
  of(upload: Upload, origin: string): string {
    const path = this.pathOf(upload)
    return `${origin}${path}?${this.#signer.sign(path, upload.expiresAt)}`
  }

  /**
   * Checks a request for an upload.
   * @param now epoch milliseconds
   */
  checkAccess(
    { expiresAt }: Upload,
    path: string,
    query: URLSearchParams,
    now: number,
  ): Exclude<Access, 'gone'> {
    const result = this.#signer.verify(path, query, now)
    if (result === 'tampered') return 'tampered'
    return result === 'valid' && now < expiresAt ? 'granted' : 'expired'
  }
}
