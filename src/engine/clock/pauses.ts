import type { Clock } from './clock.js'
import type { Schedule } from './schedule.js'

/** Waits on the simulator's clock, such as the delay of a response. */
export class Pauses {
  readonly #clock: Clock
  readonly #schedule: Schedule
  readonly #waiting = new Set<() => void>()

  constructor(clock: Clock, schedule: Schedule) {
    this.#clock = clock
    this.#schedule = schedule
  }

  /** Resolves when the milliseconds have passed on the clock, or when {@link end} is called. */
  wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const go = () => {
        this.#waiting.delete(go)
        resolve()
      }
      this.#waiting.add(go)
      this.#schedule.at(this.#clock.now() + milliseconds, go)
    })
  }

  /** Ends all waits, as a reset does. */
  end(): void {
    for (const go of this.#waiting) go()
  }
}
