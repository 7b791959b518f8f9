import { STATUSES, type Status } from '../../engine/tasks/task.js'
import type { ObservedTask } from '../history/observed-task.js'
import { Column } from './column.js'
import { Tally } from './tally.js'

/** What the history of one model shows. Times are epoch milliseconds; NaN: unknown. */
export class ModelHistory {
  readonly tally: Tally
  readonly created = new Column()
  readonly started = new Column()
  readonly ended = new Column()
  readonly #statuses = new Column()

  constructor(model: string, kind: string) {
    this.tally = new Tally(model, kind)
  }

  get model(): string {
    return this.tally.name
  }

  get kind(): string {
    return this.tally.kind
  }

  add(task: ObservedTask): void {
    this.tally.add(task)
    this.created.add(task.createdAt)
    this.started.add(task.startedAt ?? Number.NaN)
    this.ended.add(task.endedAt ?? Number.NaN)
    // How long a task ran says nothing if it is not known how it ended.
    this.#statuses.add(STATUSES.indexOf(task.unknownWord === undefined ? task.status : 'canceled'))
  }

  statusAt(index: number): Status {
    return STATUSES[this.#statuses.values[index] ?? 0] ?? 'queued'
  }

  /** Whether a task succeeded or failed, so that its duration says how long processing takes. */
  endsByItself(index: number): boolean {
    const status = this.statusAt(index)
    return status === 'succeeded' || status === 'failed'
  }
}
