import { letContinue } from '../awaitable.js'
import type { Clock } from './clock.js'
import type { Deadlines } from './deadlines.js'

/** Waits for time to pass on the simulator's clock, such as for a delayed response. */
export class Pauses {
  readonly #clock: Clock
  readonly #deadlines: Deadlines
  readonly #patience: number
  readonly #waiting = new Set<() => void>()
  /** Where a manual clock stood when it had last moved on by itself. */
  #movedTo: number | undefined
  #isClosed = false

  /** @param patience how long to wait for someone to advance a manual clock, in milliseconds of real time */
  constructor(clock: Clock, deadlines: Deadlines, patience: number) {
    this.#clock = clock
    this.#deadlines = deadlines
    this.#patience = patience
  }

  /**
   * Resolves when the milliseconds have passed on the clock, when the signal is aborted, or when {@link end} is called.
   * If nobody advances a manual clock for the simulator's `patience` in real time, it moves on by itself. It does so at
   * once if nobody has advanced it since the last wait, such as for the next piece of a slow body.
   */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds <= 0 || this.#isClosed || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        cancel()
        signal?.removeEventListener('abort', finish)
        this.#waiting.delete(finish)
        resolve()
      }
      const pass = async (byItself: boolean) => {
        if (byItself) this.#movedTo = this.#clock.now()
        finish()
        // A stream may wait again for its next piece, which may be due at the same instant.
        await letContinue()
      }
      const patience = this.#movedTo === this.#clock.now() ? 0 : this.#patience
      const cancel = this.#deadlines.start(milliseconds, patience, pass)
      signal?.addEventListener('abort', finish)
      this.#waiting.add(finish)
    })
  }

  /** The number of waits. */
  get size(): number {
    return this.#waiting.size
  }

  /** Ends all waits, as a reset does. */
  end(): void {
    this.#movedTo = undefined
    for (const finish of this.#waiting) finish()
  }

  /** Ends all waits, and further ones at once, because the clock has stopped. */
  close(): void {
    this.#isClosed = true
    this.end()
  }
}
