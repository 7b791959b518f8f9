import type { Events } from '../events.js'

/** How many parts of the output of each task were sent, for services that send each part once. */
export class SentParts {
  readonly #events: Events
  /** By the id of the task. */
  readonly #counts = new Map<string, number>()

  constructor(events: Events) {
    this.#events = events
    events.on('task.forgotten', ({ id }) => this.#counts.delete(id))
  }

  /** The number of parts that were sent; undefined if none was. */
  of(id: string): number | undefined {
    return this.#counts.get(id)
  }

  /** Counts the parts that were sent. */
  set(id: string, count: number): void {
    this.#counts.set(id, count)
    this.#events.emit('task.shown', id)
  }

  /** Forgets all tasks. */
  clear(): void {
    this.#counts.clear()
  }
}
