import type { OutputSettings } from '../../scenario/model/scenario.js'
import type { JsonObject } from '../json.js'
import { outputOf } from '../tasks/output.js'
import type { Task } from '../tasks/task.js'
import { filePath } from './asset.js'
import { UrlSigner } from './url-signer.js'

/** What may be said to someone who comes with the URL of a file. */
export type Access = 'granted' | 'expired' | 'tampered' | 'gone'

/** Hands out the outputs of tasks: with signed URLs that expire, and for as long as outputs are kept. */
export class Outputs {
  readonly #signer: UrlSigner
  readonly #settings: () => OutputSettings
  readonly #sandbox: string | undefined

  /**
   * @param key what URLs are signed with
   * @param sandbox the id that paths begin with, where the tasks are those of a sandbox
   */
  constructor(key: string, settings: () => OutputSettings, sandbox?: string) {
    this.#signer = new UrlSigner(key)
    this.#settings = settings
    this.#sandbox = sandbox
  }

  /**
   * The output of a task as it is shown at a time.
   * @param origin what output URLs start with: scheme, host and mount path
   * @param now epoch milliseconds
   * @returns undefined where there is none, or none any more
   */
  of(task: Task, origin: string, now: number): JsonObject | undefined {
    if (task.completedAt === undefined || this.#isGone(task, now)) return undefined
    const { lifetime, renew } = this.#settings()
    const expires = (renew ? now : task.completedAt) + lifetime
    return outputOf(task, (file) => {
      const path = filePath(task, file, this.#sandbox)
      return `${origin}${path}?${this.#signer.sign(path, expires)}`
    })
  }

  /** Until when {@link of} gives the same, in epoch milliseconds. */
  sameUntil(task: Task, now: number): number {
    if (task.completedAt === undefined || task.result === undefined) return Infinity
    const { lifetime, renew, retention } = this.#settings()
    const gone = task.completedAt + retention
    if (now >= gone) return Infinity
    // The expiry of a URL is told in whole seconds.
    const renewed = renew ? Math.ceil((now + lifetime) / 1_000) * 1_000 - lifetime + 1 : Infinity
    return Math.min(gone, renewed)
  }

  /** Judges a request for a file of a task. */
  access(task: Task, path: string, query: URLSearchParams, now: number): Access {
    const verdict = this.#signer.verify(path, query, now)
    if (verdict === 'tampered') return 'tampered'
    if (this.#isGone(task, now)) return 'gone'
    return verdict === 'valid' ? 'granted' : 'expired'
  }

  #isGone(task: Task, now: number): boolean {
    return task.completedAt !== undefined && now >= task.completedAt + this.#settings().retention
  }
}
