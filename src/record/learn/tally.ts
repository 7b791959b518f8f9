import type { Status } from '../../engine/tasks/task.js'
import type { ObservedTask } from '../history/observed-task.js'
import { ErrorCounts } from './failures/error-counts.js'
import { OutputSamples } from './output/output-samples.js'
import { PricedTasks } from './price/priced-tasks.js'

/** How many tasks a history has, by how they ended. */
export interface TaskCounts {
  readonly all: number
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  /** Queued or processing when the history was taken. */
  readonly unfinished: number
  /** How many ended with each word that the dialect does not know. They count neither as failed nor as successful. */
  readonly unknown: Readonly<Record<string, number>>
}

/** In characters. */
const LONGEST_WORD = 60

/** Counts the tasks of a model, or of a kind, with their errors and costs. */
export class Tally {
  readonly errors = new ErrorCounts()
  readonly outputs = new OutputSamples()
  readonly priced: PricedTasks
  readonly #counts = new Map<Status, number>()
  readonly #unknown = new Map<string, number>()

  /** @param name the id of the model, or the name of the kind */
  constructor(
    readonly name: string,
    readonly kind: string,
  ) {
    this.priced = new PricedTasks(kind)
  }

  add(task: ObservedTask): void {
    if (task.unknownWord !== undefined) {
      const word = task.unknownWord.slice(0, LONGEST_WORD)
      this.#unknown.set(word, (this.#unknown.get(word) ?? 0) + 1)
      return
    }
    this.priced.add(task)
    this.outputs.add(task)
    this.#counts.set(task.status, this.#count(task.status) + 1)
    if (task.status === 'failed') this.errors.add(task.error ?? { message: '' })
  }

  get counts(): TaskCounts {
    const [succeeded, failed, canceled] = [
      this.#count('succeeded'),
      this.#count('failed'),
      this.#count('canceled'),
    ]
    const unfinished = this.#count('queued') + this.#count('processing')
    const others = [...this.#unknown.values()].reduce((sum, count) => sum + count, 0)
    return {
      all: succeeded + failed + canceled + unfinished + others,
      ...{ succeeded, failed, canceled, unfinished },
      unknown: Object.fromEntries(this.#unknown),
    }
  }

  #count(status: Status): number {
    return this.#counts.get(status) ?? 0
  }
}
