/** The parts that a {@link SimTimer} needs. */
export interface SimTimerParts {
  /** The time of the simulator's clock, in epoch milliseconds. */
  readonly now: () => number
  /**
   * Calls a function of a timer after some milliseconds on the simulator's clock. Returns a function that cancels the
   * call.
   */
  readonly schedule: (timer: SimTimer, milliseconds: number, onPassed: () => void) => () => void
  /** Receives the timer when it starts or begins to keep the clock running. */
  readonly onStarted: (timer: SimTimer) => void
  /** Receives the timer when it has fired or was canceled. */
  readonly onEnded: (timer: SimTimer) => void
}

/** A timer of `setTimeout` or `setInterval` on the clock of a simulator, with the methods of the timers of Node. */
export class SimTimer {
  readonly #parts: SimTimerParts
  readonly #milliseconds: number
  readonly #callback: () => void
  readonly #repeats: boolean
  /** When the timer fires, in epoch milliseconds. */
  #at = 0
  #isReferenced = true
  #cancel = () => {}

  constructor(parts: SimTimerParts, milliseconds: number, callback: () => void, repeats = false) {
    this.#parts = parts
    this.#milliseconds = milliseconds
    this.#callback = callback
    this.#repeats = repeats
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
    let isCanceled = false
    const cancel = this.#parts.schedule(this, milliseconds, () => {
      if (!isCanceled) this.#fire()
    })
    this.#cancel = () => {
      isCanceled = true
      cancel()
    }
    this.#parts.onStarted(this)
    return this
  }

  #fire(): void {
    if (this.#repeats) this.refresh()
    else this.#parts.onEnded(this)
    // Not inside the job of the schedule, which would catch an error.
    queueMicrotask(this.#callback)
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
