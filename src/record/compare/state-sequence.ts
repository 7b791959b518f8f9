import type { Dialect } from '../../dialects/dialect.js'
import type { SeenTask } from '../../dialects/reading/seen-values.js'
import { isTerminal, type Status } from '../../engine/tasks/task.js'
import type { Misfit } from './fit.js'

/** When a task was seen: epoch milliseconds. */
interface Seen {
  readonly at: number
  readonly answeredAt: number
}

interface Shown extends Seen {
  readonly status: Status
}

/** The states in their order. All ends have the same place. */
const PLACES: Readonly<Record<Status, number>> = {
  queued: 0,
  processing: 1,
  succeeded: 2,
  failed: 2,
  canceled: 2,
}

/** Finds states that cannot follow those that a task had before. */
export class StateSequence {
  readonly #dialect: Dialect
  readonly #shown = new Map<string, Shown>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /**
   * Adds what an answer shows.
   * @param field where it shows the state
   * @returns undefined if the state can follow the earlier ones, or the answer shows none
   */
  add({ id, status }: SeenTask, seen: Seen, field: string): Misfit | undefined {
    if (id === undefined || status === undefined) return undefined
    const before = this.#shown.get(id)
    // Requests that overlap can be answered in any order.
    if (before !== undefined && (seen.at < before.answeredAt || this.#canFollow(status, before.status))) {
      if (PLACES[status] > PLACES[before.status]) this.#shown.set(id, { ...seen, status })
      return undefined
    }
    if (before === undefined) {
      this.#shown.set(id, { ...seen, status })
      return undefined
    }
    const word = (each: Status) => JSON.stringify(this.#dialect.table.statuses[each].word)
    return { kind: 'order', field, expected: `a state after ${word(before.status)}`, got: word(status) }
  }

  #canFollow(next: Status, before: Status): boolean {
    const { statuses } = this.#dialect.table
    if (isTerminal(before)) return next === before || statuses[next].word === statuses[before].word
    return PLACES[next] >= PLACES[before]
  }
}
