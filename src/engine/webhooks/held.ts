import type { Clock } from '../clock/clock.js'
import type { Job, Schedule } from '../clock/schedule.js'

// What waits for something that does not come goes on after this, in milliseconds.
const LONGEST = 60_000

interface Waiting {
  /** The id of what waits. */
  readonly id: string
  readonly go: () => void
  readonly deadline: Job
}

/** What is held back until something happens, and at the latest for a minute. */
export class Held {
  readonly #clock: Clock
  readonly #schedule: Schedule
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(clock: Clock, schedule: Schedule) {
    this.#clock = clock
    this.#schedule = schedule
  }

  /**
   * Holds something back until `what` happens.
   * @returns when it goes on at the latest, in epoch milliseconds
   */
  until(what: string, id: string, go: () => void): number {
    const waiting = this.#waiting.get(what) ?? []
    this.#waiting.set(what, waiting)
    const at = this.#clock.now() + LONGEST
    const deadline = this.#schedule.at(at, () => this.#release(what, (held) => held.id === id))
    waiting.push({ id, go, deadline })
    return at
  }

  /**
   * Lets go of what waits for it, as the next thing that is due.
   * @param by the id of what has happened, where only what came before it waits for it
   */
  happened(what: string, by?: string): void {
    this.#release(what, ({ id }) => by === undefined || id < by)
  }

  #release(what: string, isMeant: (held: Waiting) => boolean): void {
    const waiting = this.#waiting.get(what)
    if (waiting === undefined) return
    const rest = waiting.filter((held) => !isMeant(held))
    if (rest.length > 0) this.#waiting.set(what, rest)
    else this.#waiting.delete(what)
    for (const held of waiting.filter(isMeant)) {
      held.deadline.cancel()
      this.#schedule.at(this.#clock.now(), held.go)
    }
  }

  clear(): void {
    this.#waiting.clear()
  }
}
