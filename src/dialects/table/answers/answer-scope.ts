import type { JsonObject, JsonValue } from '../../../engine/json.js'
import type { LogLine } from '../../../engine/progress/log-lines.js'
import type { TaskProgress } from '../../../engine/progress/task-progress.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../dialect-table.generated.js'
import { baseOf, type OperationPlace } from '../requests/operation-place.js'
import { ownFileUrl, streamUrlOf, taskForms } from '../tasks/task-parts.js'
import { type StateValues, usualState, variantState } from '../tasks/task-state.js'
import { wholeTask } from '../tasks/task-template.js'
import type { TaskForms, TaskScope } from '../tasks/task-values.js'

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
  readonly #place: OperationPlace
  readonly #urlOf: ((file: number) => string) | undefined
  #state: (StateValues & { readonly until: number }) | undefined
  #base: string | undefined
  #output: { readonly value: JsonObject | undefined; readonly until: number } | undefined

  /** @param urlOf the URLs of the output files, in place of those of the service */
  constructor(place: OperationPlace, task: Task, call: Call, urlOf?: (file: number) => string) {
    this.#table = place.table
    this.#place = place
    this.task = task
    this.#call = call
    this.#urlOf = urlOf
  }

  get form(): string {
    const { status } = this.task
    return this.#table.statuses[status].variants === undefined ? status : this.#stateOf().form
  }

  get word(): string {
    return this.#stateOf().word
  }

  get codes(): StateValues['codes'] {
    return this.#stateOf().codes
  }

  get now(): number {
    this.until = 0
    return this.#now
  }

  base(): string {
    this.#base ??= baseOf(this.#call, this.#place)
    return this.#base
  }

  streamUrl(): string | undefined {
    return streamUrlOf(this.#table, this.task, this.base())
  }

  get output(): JsonObject | undefined {
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

  #stateOf(): StateValues {
    this.#state ??= this.#computeState()
    this.#staysUntil(this.#state.until)
    return this.#state
  }

  #computeState(): StateValues & { readonly until: number } {
    const { behind, variants } = this.#table.statuses[this.task.status]
    const { sim } = this.#call
    const usual = usualState(this.#table, this.task, (id) => sim.tasks.positionOf(id))
    // The position in the queue may change at any time.
    const state = { ...usual, until: behind === undefined ? Infinity : 0 }
    if (variants === undefined) return state
    this.#state = state
    const before = this.until
    this.until = Infinity
    const variant = variantState(this.#table, this)
    const { until } = this
    this.until = before
    return { ...usual, ...variant, until: Math.min(state.until, until) }
  }

  #staysUntil(until: number): void {
    if (until < this.until) this.until = until
  }

  #computeOutput() {
    const { sim, request } = this.#call
    const { task } = this
    if (task.result === undefined) return { value: undefined, until: Infinity }
    const now = this.#now
    const origin = sim.publicOrigin(request.origin)
    const usual = (index: number) =>
      ownFileUrl(this.#table, { task, index, base: () => this.base() }) ??
      sim.outputs.urlOf(task, index, origin, now)
    const value = sim.outputs.withUrls(task, now, this.#urlOf ?? usual)
    return { value, until: sim.outputs.sameUntil(task, now) }
  }
}
