import { Recent } from '../recent.js'

// Of what nobody has asked for while so many others were, nobody asks again.
const MOST_PAST = 100_000

/**
 * Counts of how often each order came, by a number that stands for it: of all orders of which a task is kept, so that no
 * two of those are the same, and lately of others.
 */
export class KeptCounts {
  readonly #counts = new Map<number, number>()
  /** How many of those that were counted are forgotten, where others of them are kept. */
  readonly #forgotten = new Map<number, number>()
  /** The counts of those that are all forgotten. */
  readonly #past = new Recent<number, number>(MOST_PAST)

  get(order: number): number | undefined {
    return this.#counts.get(order) ?? this.#past.get(order)
  }

  set(order: number, count: number): void {
    if (count > 1 && !this.#counts.has(order)) this.#forgotten.set(order, count - 1)
    this.#counts.set(order, count)
  }

  /** Hears that one of the tasks that came of an order is forgotten. */
  forget(order: number): void {
    const count = this.#counts.get(order) ?? 0
    const forgotten = (this.#forgotten.get(order) ?? 0) + 1
    if (forgotten < count) {
      this.#forgotten.set(order, forgotten)
      return
    }
    this.#counts.delete(order)
    this.#forgotten.delete(order)
    this.#past.set(order, count)
  }
}
