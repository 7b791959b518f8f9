import { STATUSES, type Status } from '../../engine/tasks/task.js'
import type { ObservedTask } from '../history/observed-task.js'
import { Column } from './column.js'
import { ErrorCounts } from './failures/error-counts.js'
import { PricedTasks } from './price/priced-tasks.js'

/** What the history of one model, or of one kind, shows. Times are epoch milliseconds; NaN: unknown. */
export class ModelHistory {
  readonly created = new Column()
  readonly started = new Column()
  readonly ended = new Column()
  readonly #statuses = new Column()
  readonly errors = new ErrorCounts()
  readonly priced: PricedTasks
  readonly #counts = new Map<Status, number>()

  constructor(
    readonly model: string,
    readonly kind: string,
  ) {
    this.priced = new PricedTasks(kind)
  }

  get tasks(): number {
    return this.created.length
  }

  add(task: ObservedTask): void {
    const { status, createdAt, startedAt, endedAt, error } = task
    this.priced.add(task)
    this.created.add(createdAt)
    this.started.add(startedAt ?? Number.NaN)
    this.ended.add(endedAt ?? Number.NaN)
    this.#statuses.add(STATUSES.indexOf(status))
    this.#counts.set(status, this.count(status) + 1)
    if (status === 'failed') this.errors.add(error ?? { message: '' })
  }

  count(status: Status): number {
    return this.#counts.get(status) ?? 0
  }

  /** Whether a task succeeded or failed, so that its duration says how long processing takes. */
  endsByItself(index: number): boolean {
    const status = STATUSES[this.#statuses.values[index] ?? 0]
    return status === 'succeeded' || status === 'failed'
  }
}
