/** The parts that a {@link SimTimer} needs. */
export interface SimTimerParts {
  /** The time of the simulator's clock, in epoch milliseconds. */
  readonly now: () => number
  /** Calls a function after some milliseconds on the simulator's clock. Returns a function that cancels the call. */
  readonly schedule: (milliseconds: number, onPassed: () => void) => () => void
  /** Receives the timer when it starts or begins to keep the clock running. */
  readonly onStarted: (timer: SimTimer) => void
  /** Receives the timer when it has fired or was canceled. */
  readonly onEnded: (timer: SimTimer) => void
}

/** A timer of `setTimeout` on the clock of a simulator, with the methods of the timers of Node. */
export class SimTimer {
  readonly #parts: SimTimerParts
  readonly #milliseconds: number
  readonly #callback: () => void
  /** When the timer fires, in epoch milliseconds. */
  #at = 0
  #isReferenced = true
  #cancel = () => {}

  constructor(parts: SimTimerParts, milliseconds: number, callback: () => void) {
    this.#parts = parts
    this.#milliseconds = milliseconds
    this.#callback = callback
    this.refresh()
  }

  /** Restarts the timer. */
  refresh(): this {
    return this.#start(this.#milliseconds)
  }

  /**
   * Stops the timer while the clock starts again.
   * @returns a function that continues the timer for the rest of its time
   */
  suspend(): () => void {
    const rest = Math.max(0, this.#at - this.#parts.now())
    this.#cancel()
    return () => this.#start(rest)
  }

  #start(milliseconds: number): this {
    this.#cancel()
    this.#at = this.#parts.now() + milliseconds
    this.#cancel = this.#parts.schedule(milliseconds, () => {
      this.#parts.onEnded(this)
      // Not inside the job of the schedule, which would catch an error.
      queueMicrotask(this.#callback)
    })
    this.#parts.onStarted(this)
    return this
  }

  close(): this {
    this.#cancel()
    this.#parts.onEnded(this)
    return this
  }

  ref(): this {
    this.#isReferenced = true
    return this
  }

  /** The clock does not move for this timer alone. */
  unref(): this {
    this.#isReferenced = false
    return this
  }

  hasRef(): boolean {
    return this.#isReferenced
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')](): void {
    this.close()
  }
}
