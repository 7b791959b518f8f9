import type { JsonObject, JsonValue } from '../../../engine/json.js'
import type { LogLine } from '../../../engine/progress/log-lines.js'
import type { TaskProgress } from '../../../engine/progress/task-progress.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../dialect-table.generated.js'
import { baseOf, type Endpoint } from '../requests/endpoint.js'
import { ownFileUrl, streamUrlOf, taskForms } from '../tasks/task-parts.js'
import { type VariantValues, variantOf, wordOf } from '../tasks/task-state.js'
import { wholeTask } from '../tasks/task-template.js'
import type { TaskForms, TaskScope } from '../tasks/task-values.js'

/** The variant of the state of a task, and until when it is the same. */
interface Variant {
  /** Undefined if none applies. */
  readonly found: VariantValues | undefined
  /** Epoch milliseconds. */
  readonly until: number
}

const NO_VARIANT: Variant = { found: undefined, until: Infinity }

/** A task in an answer. It computes only what a template reads, and keeps track of how long that stays the same. */
export class AnswerScope implements TaskScope {
  /**
   * Until when all values that were read stay the same if the task does not change, in epoch milliseconds; 0 if one of
   * them may change at any time.
   */
  until = Infinity
  hidesLogs = false
  readonly task: Task
  /** The words to search for, separated by commas. */
  search: string | undefined
  readonly #table: DialectTable
  readonly #call: Call
  readonly #endpoint: Endpoint
  readonly #urlOf: ((file: number) => string) | undefined
  #variant: Variant | undefined
  #base: string | undefined
  #output: { readonly value: JsonObject | undefined; readonly until: number } | undefined

  /** @param urlOf the URLs of the output files, in place of those of the service */
  constructor(endpoint: Endpoint, task: Task, call: Call, urlOf?: (file: number) => string) {
    this.#table = endpoint.table
    this.#endpoint = endpoint
    this.task = task
    this.#call = call
    this.#urlOf = urlOf
  }

  get form(): string {
    return this.#variantOf()?.form ?? this.task.status
  }

  get word(): string {
    const variant = this.#variantOf()
    if (variant !== undefined) return variant.word
    const { statuses } = this.#table
    if (statuses[this.task.status].behind === undefined) return wordOf(statuses, this.task)
    // The position in the queue may change at any time.
    this.until = 0
    return wordOf(statuses, this.task, this.#call.sim.tasks.positionOf(this.task.id))
  }

  get codes(): TaskScope['codes'] {
    return this.#table.statuses[this.task.status].codes
  }

  get now(): number {
    this.until = 0
    return this.#now
  }

  base(): string {
    this.#base ??= baseOf(this.#call, this.#endpoint)
    return this.#base
  }

  streamUrl(): string | undefined {
    return streamUrlOf(this.#table, this.task, this.base())
  }

  get output(): JsonObject | undefined {
    const { result } = this.task
    if (result === undefined) return undefined
    this.#output ??= this.#computeOutput()
    this.#staysUntil(this.#output.until)
    return this.#output.value
  }

  expiresAt(): number | undefined {
    return this.#call.sim.outputs.expiryOf(this.task)
  }

  isRemoved(): boolean {
    const { sim } = this.#call
    const now = this.#now
    this.#staysUntil(sim.outputs.sameUntil(this.task, now))
    return sim.outputs.isGone(this.task, now)
  }

  whole(scope: TaskScope): JsonValue | undefined {
    return wholeTask(this.#table)(scope)
  }

  progress(): number {
    const progress = this.#progress
    this.#staysUntil(progress?.sameUntil(this.task, this.#now) ?? Infinity)
    return progress?.of(this.task, this.#now) ?? 0
  }

  logs(): readonly LogLine[] {
    const progress = this.#progress
    this.#staysUntil(progress?.logSameUntil(this.task, this.#now) ?? Infinity)
    return progress?.logsOf(this.task, this.#now) ?? []
  }

  queuePosition(): number | undefined {
    const { status, id } = this.task
    if (status !== 'queued') return undefined
    this.until = 0
    return this.#call.sim.tasks.positionOf(id) ?? 0
  }

  forms(): TaskForms {
    return taskForms(this.#table)
  }

  get #now(): number {
    return this.#call.sim.clock.now()
  }

  get #progress(): TaskProgress | undefined {
    return this.#call.sim.live.of(this.task.dialect)?.progress
  }

  /** The variant of the state that applies to the task. */
  #variantOf(): Variant['found'] {
    if (this.#table.statuses[this.task.status].variants === undefined) return undefined
    this.#variant ??= this.#findVariant()
    this.#staysUntil(this.#variant.until)
    return this.#variant.found
  }

  #findVariant(): Variant {
    const before = this.until
    this.until = Infinity
    // The conditions of variants may read the state: they get the usual one.
    this.#variant = NO_VARIANT
    const found = variantOf(this.#table, this)
    const { until } = this
    this.until = before
    return { found, until }
  }

  #staysUntil(until: number): void {
    if (until < this.until) this.until = until
  }

  #computeOutput() {
    const { sim, request } = this.#call
    const { task } = this
    const now = this.#now
    const origin = sim.publicOrigin(request.origin)
    const usual = (index: number) =>
      ownFileUrl(this.#table, { task, index, base: () => this.base() }) ??
      sim.outputs.urlOf(task, index, origin, now)
    const value = sim.outputs.withUrls(task, now, this.#urlOf ?? usual)
    return { value, until: sim.outputs.sameUntil(task, now) }
  }
}
