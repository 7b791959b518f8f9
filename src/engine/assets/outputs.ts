import type { OutputSettings } from '../../scenario/model/scenario.js'
import type { JsonObject } from '../json.js'
import type { Kinds } from '../tasks/kinds.js'
import type { Task } from '../tasks/task.js'
import { filePath } from './asset.js'
import { UrlSigner } from './url-signer.js'

/** The result of checking the URL of a file. */
export type Access = 'granted' | 'expired' | 'tampered' | 'gone'

/** Builds the outputs of tasks, with signed URLs that expire. A task has no output after its retention has ended. */
export class Outputs {
  readonly #signer: UrlSigner
  readonly #settings: () => OutputSettings
  readonly #kinds: Pick<Kinds, 'outputOf'>
  readonly #sandbox: string | undefined

  /**
   * @param key the key that signs URLs
   * @param kinds decide the shape of an output
   * @param sandbox the id of the sandbox, for the paths of its files
   */
  constructor(key: string, settings: () => OutputSettings, kinds: Pick<Kinds, 'outputOf'>, sandbox?: string) {
    this.#signer = new UrlSigner(key)
    this.#settings = settings
    this.#kinds = kinds
    this.#sandbox = sandbox
  }

  /**
   * The output of a task at a time, as far as it has a result.
   * @param origin the start of output URLs: scheme, host and mount path
   * @param now epoch milliseconds
   * @returns undefined if the task has no output or the retention has ended
   */
  of(task: Task, origin: string, now: number): JsonObject | undefined {
    return this.withUrls(task, now, (file) => this.urlOf(task, file, origin, now))
  }

  /** The output of a task at a time, as {@link of}, with other URLs of its files. */
  withUrls(task: Task, now: number, urlOf: (file: number) => string): JsonObject | undefined {
    if (this.isGone(task, now)) return undefined
    return this.#kinds.outputOf(task, urlOf)
  }

  /**
   * The signed URL of a file of a task. It leads to the file as soon as the file is ready.
   * @param origin the start of the URL: scheme, host and mount path
   * @param now epoch milliseconds
   */
  urlOf(task: Task, file: number, origin: string, now: number): string {
    const { lifetime, renew } = this.#settings()
    const expires = (renew ? now : (task.completedAt ?? now)) + lifetime
    const path = filePath(task, file, this.#sandbox)
    return `${origin}${path}?${this.#signer.sign(path, expires)}`
  }

  /** The time until which {@link of} returns the same output, in epoch milliseconds. */
  sameUntil(task: Task, now: number): number {
    if (task.completedAt === undefined || task.result === undefined) return Infinity
    const { lifetime, renew, retention } = this.#settings()
    const gone = task.completedAt + retention
    if (now >= gone) return Infinity
    // URLs contain their expiry in whole seconds.
    const renewed = renew ? Math.ceil((now + lifetime) / 1_000) * 1_000 - lifetime + 1 : Infinity
    return Math.min(gone, renewed)
  }

  /** Checks a request for a file of a task. */
  checkAccess(task: Task, path: string, query: URLSearchParams, now: number): Access {
    const result = this.#signer.verify(path, query, now)
    if (result === 'tampered') return 'tampered'
    if (this.isGone(task, now)) return 'gone'
    return result === 'valid' ? 'granted' : 'expired'
  }

  /** Whether the files of a task are not kept any more. */
  isGone(task: Task, now: number): boolean {
    return task.completedAt !== undefined && now >= task.completedAt + this.#settings().retention
  }
}
