import { isEqual } from '../digest.js'
import type { JsonObject } from '../json.js'
import { queryIn } from '../partition.js'
import type { OutputSettings } from '../scenario/scenario.js'
import { Hmac } from '../sha256.js'
import type { Kinds, WireFormats } from '../tasks/kinds.js'
import type { Task } from '../tasks/task.js'
import { filePath } from './asset.js'

/** The result of checking the URL of a file. */
export type Access = 'granted' | 'expired' | 'tampered' | 'gone'

const DEFAULT_LIFETIME = 86_400_000
const DEFAULT_RETENTION = 30 * DEFAULT_LIFETIME

type Formats = Pick<WireFormats, 'main' | 'outputTimes' | 'fileOrigin'>

/** Builds the outputs of tasks, with signed URLs that expire. A task has no output after its retention has ended. */
export class Outputs {
  readonly #signer: UrlSigner
  readonly #settings: () => OutputSettings
  readonly #kinds: Pick<Kinds, 'outputOf'>
  readonly #formats: Formats
  readonly #sandbox: string | undefined

  /**
   * @param key the key that signs URLs
   * @param kinds decide the shape of an output
   * @param formats decide how long outputs are valid if the settings do not
   * @param sandbox the id of the sandbox, for the paths of its files
   * @param partition the partition of the server, for the URLs of files
   */
  constructor({
    key,
    settings,
    kinds,
    formats,
    sandbox,
    partition,
  }: {
    key: string
    settings: () => OutputSettings
    kinds: Pick<Kinds, 'outputOf'>
    formats: Formats
    sandbox?: string | undefined
    partition?: string | undefined
  }) {
    this.#signer = new UrlSigner(key, partition)
    this.#settings = settings
    this.#kinds = kinds
    this.#formats = formats
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
   * @param origin what the client has called: scheme, host and mount path
   * @param now epoch milliseconds
   */
  urlOf(task: Task, file: number, origin: string, now: number): string {
    const issued = this.#settings().renew ? now : (task.completedAt ?? now)
    const expires = issued + this.lifetimeOf(task.dialect)
    const path = filePath(task, file, this.#sandbox)
    const start = this.#formats.fileOrigin(task.dialect, origin)
    return `${start}${path}?${this.#signer.sign(path, expires)}`
  }

  /** The time until which {@link of} returns the same output, in epoch milliseconds. */
  sameUntil(task: Task, now: number): number {
    if (task.completedAt === undefined || this.isGone(task, now)) return Infinity
    const gone = this.#goneAt(task, task.completedAt)
    if (task.result === undefined) return gone
    const { renew } = this.#settings()
    const lifetime = this.lifetimeOf(task.dialect)
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

  /** Whether the data of a task are not kept any more: its retention has ended, or a client has deleted them. */
  isGone(task: Task, now: number): boolean {
    if (task.erasedAt !== undefined) return true
    return task.completedAt !== undefined && now >= this.#goneAt(task, task.completedAt)
  }

  /** How long an output URL of a wire format is valid, in milliseconds. */
  lifetimeOf(format = this.#formats.main): number {
    return this.#settings().lifetime ?? this.#formats.outputTimes(format)?.lifetime ?? DEFAULT_LIFETIME
  }

  /** Whether a later answer about a task of a wire format has a URL of a file whose first URL has expired. */
  renews(format: string): boolean {
    return this.#settings().renew && this.lifetimeOf(format) < this.#retentionOf(format)
  }

  /** When files expire that a client downloads with its key, in epoch milliseconds; undefined before the end. */
  expiryOf({ dialect, completedAt }: Task): number | undefined {
    return completedAt === undefined ? undefined : completedAt + this.lifetimeOf(dialect)
  }

  #goneAt({ dialect }: Task, completedAt: number): number {
    return completedAt + this.#retentionOf(dialect)
  }

  #retentionOf(format: string): number {
    const { retention } = this.#settings()
    return retention ?? this.#formats.outputTimes(format)?.retention ?? DEFAULT_RETENTION
  }
}

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
