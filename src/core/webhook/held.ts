import type { Clock } from '../time/clock.js'
import type { Scheduled, Timeline } from '../time/timeline.js'

// What waits for something that does not come goes on after this, in milliseconds.
const LONGEST = 60_000

/** What is held back until something happens, and at the latest for a minute. */
export class Held {
  readonly #clock: Clock
  readonly #timeline: Timeline
  readonly #waiting = new Map<string, { go: () => void; deadline: Scheduled }[]>()

  constructor(clock: Clock, timeline: Timeline) {
    this.#clock = clock
    this.#timeline = timeline
  }

  /**
   * Holds something back until `what` happens.
   * @returns when it goes on at the latest, in epoch milliseconds
   */
  until(what: string, go: () => void): number {
    const waiting = this.#waiting.get(what) ?? []
    this.#waiting.set(what, waiting)
    const at = this.#clock.now() + LONGEST
    waiting.push({ go, deadline: this.#timeline.at(at, () => this.happened(what)) })
    return at
  }

  /** Lets go of what waits for it, as the next thing that is due. */
  happened(what: string): void {
    const waiting = this.#waiting.get(what)
    if (waiting === undefined) return
    this.#waiting.delete(what)
    for (const { go, deadline } of waiting) {
      deadline.cancel()
      this.#timeline.at(this.#clock.now(), go)
    }
  }

  clear(): void {
    this.#waiting.clear()
  }
}
