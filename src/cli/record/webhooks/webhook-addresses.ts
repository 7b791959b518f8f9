import { createCipheriv, createDecipheriv } from 'node:crypto'
import { Hmac } from '../../../engine/sha256.js'
import { httpUrl } from '../../../engine/webhooks/receivers/receiver.js'
import type { Replacements } from '../proxy/upstream.js'

/** The start of the paths at which webhooks arrive. */
export const WEBHOOK_PATH = '/_sim/webhooks/'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * The public URLs that stand for the URLs of receivers. A public URL contains the encrypted URL of the receiver, so that
 * a later run for the same recording can still forward webhooks, and nobody can make up such a URL.
 */
export class WebhookAddresses {
  readonly #base: string
  readonly #hmac: Hmac
  readonly #key: Uint8Array
  /** The URLs of receivers by their public URLs. */
  readonly #given = new Map<string, string>()

  /**
   * @param publicUrl at which the service reaches the proxy
   * @param salt of the recording
   */
  constructor(publicUrl: string, salt: string) {
    this.#base = publicUrl.replace(/\/+$/, '') + WEBHOOK_PATH
    this.#hmac = new Hmac(`webhooks:${salt}`)
    this.#key = this.#hmac.digest('key')
  }

  /** The public URL of a receiver; undefined if the text is not a URL. */
  publicUrlOf(receiver: string): string | undefined {
    if (httpUrl(receiver) === undefined) return undefined
    // The same URL always has the same public URL, so the initialization vector follows from it.
    const iv = this.#hmac.digest(`url:${receiver}`).slice(0, IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, iv)
    const text = Buffer.concat([cipher.update(receiver, 'utf8'), cipher.final()])
    const token = Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    const url = this.#base + token
    this.#given.set(url, receiver)
    return url
  }

  /** The URL of the receiver of a webhook that arrives at a path; undefined if the path stands for none. */
  receiverOf(path: string): string | undefined {
    const bytes = Buffer.from(path.slice(WEBHOOK_PATH.length), 'base64url')
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, iv, { authTagLength: TAG_BYTES }).setAuthTag(tag)
      const text = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]
      return Buffer.concat(text).toString('utf8')
    } catch {
      return undefined
    }
  }

  /** Replaces the public URLs by those of the receivers, for answers that repeat them. */
  get toReceivers(): Replacements {
    return [...this.#given]
  }
}
