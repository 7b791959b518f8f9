import type { Clock } from './clock.js'
import type { Timeline } from './timeline.js'

/** Waits on the simulator's clock, such as that of an answer which is held back. */
export class Pauses {
  readonly #clock: Clock
  readonly #timeline: Timeline
  readonly #waiting = new Set<() => void>()

  constructor(clock: Clock, timeline: Timeline) {
    this.#clock = clock
    this.#timeline = timeline
  }

  /** Resolves when so many milliseconds have passed on the clock, or at the latest with {@link end}. */
  wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const go = () => {
        this.#waiting.delete(go)
        resolve()
      }
      this.#waiting.add(go)
      this.#timeline.at(this.#clock.now() + milliseconds, go)
    })
  }

  /** Ends all waits, as with a reset: nobody is left waiting for a time that does not come any more. */
  end(): void {
    for (const go of this.#waiting) go()
  }
}
