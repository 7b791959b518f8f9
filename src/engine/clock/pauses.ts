import type { Clock } from './clock.js'
import { letContinue } from './let-continue.js'
import type { Schedule } from './schedule.js'

/** Waits for time to pass on the simulator's clock, such as for a delayed response. */
export class Pauses {
  readonly #clock: Clock
  readonly #schedule: Schedule
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock, schedule: Schedule) {
    this.#clock = clock
    this.#schedule = schedule
  }

  /** Resolves when the milliseconds have passed on the clock, or when {@link end} is called. */
  wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        this.#waiting.delete(finish)
        resolve()
      }
      this.#waiting.add(finish)
      this.#schedule.at(this.#clock.now() + milliseconds, async () => {
        finish()
        // A stream may wait again for its next piece, which may be due at the same instant.
        await letContinue()
      })
    })
  }

  /** The number of waits. */
  get size(): number {
    return this.#waiting.size
  }

  /** Ends all waits, as a reset does. */
  end(): void {
    for (const finish of this.#waiting) finish()
  }

  /** Ends all waits, and further ones at once, because the clock has stopped. */
  close(): void {
    this.#isClosed = true
    this.end()
  }
}
