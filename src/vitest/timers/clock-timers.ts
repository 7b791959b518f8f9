import type { Simulator } from '../../simulator.js'
import { replaceGlobalTime } from './global-time.js'
import type { SimTimer } from './sim-timer.js'

/** So many turns of the event loop that the code under test continues until it waits for time to pass. */
const TURNS = 20

/**
 * Runs the timers of the code under test on the manual clock of a simulator. While that code waits for a timer or for a
 * held answer, and nothing else happens, the clock moves on, from one event to the next. So a poll loop ends at once.
 */
export class ClockTimers {
  readonly #sim: Simulator
  /** Functions that undo the constructor. */
  readonly #undo: readonly (() => void)[]
  readonly #realTimeout = globalThis.setTimeout
  readonly #realImmediate = globalThis.setImmediate
  readonly #timers = new Set<SimTimer>()
  /** The number of requests that are being answered. */
  #requests = 0
  /** Changes with everything that happens in the code under test. */
  #activity = 0
  #isMoving = false
  #isStopped = false
  /** Continue the timers that wait while the simulator is reset. */
  #suspended: readonly (() => void)[] = []

  /** Replaces `setTimeout` and `Date` until {@link stop}. */
  constructor(sim: Simulator) {
    this.#sim = sim
    const restoreGlobals = replaceGlobalTime({
      now: () => sim.clock.now(),
      schedule: (milliseconds, onPassed) => sim.startTimer(milliseconds, () => this.#passed(onPassed)),
      onStarted: (timer) => {
        this.#timers.add(timer)
        this.#happened()
      },
      onEnded: (timer) => {
        this.#timers.delete(timer)
        this.#activity += 1
      },
    })
    this.#undo = [restoreGlobals, ...this.#followResets()]
  }

  /** A reset restarts the clock, but the code under test goes on waiting. */
  #followResets(): readonly (() => void)[] {
    return [
      this.#sim.on('reset.begins', () => {
        this.#suspended = [...this.#timers].map((timer) => timer.suspend())
      }),
      this.#sim.on('control.used', (use) => {
        if (use !== 'reset') return
        for (const goOn of this.#suspended) goOn()
        this.#suspended = []
      }),
    ]
  }

  /** Prevents the clock from moving before a request is answered, unless the answer itself waits for the clock. */
  async track<Value>(answer: Promise<Value>): Promise<Value> {
    this.#requests += 1
    this.#happened()
    try {
      return await answer
    } finally {
      this.#requests -= 1
      this.#activity += 1
    }
  }

  /** Restores `setTimeout` and `Date`, and cancels all timers. */
  stop(): void {
    this.#isStopped = true
    for (const undo of this.#undo) undo()
    for (const timer of [...this.#timers]) timer.close()
  }

  /** The clock goes on after the code under test has reacted to a timer. */
  #passed(onPassed: () => void): Promise<void> {
    onPassed()
    return this.#settled()
  }

  #happened(): void {
    this.#activity += 1
    if (this.#isMoving || this.#isStopped) return
    this.#isMoving = true
    void this.#moveClock().finally(() => {
      this.#isMoving = false
    })
  }

  async #moveClock(): Promise<void> {
    for (;;) {
      await this.#settled()
      const { next, now } = { next: this.#sim.clock.next, now: this.#sim.clock.now() }
      if (this.#isStopped || next === undefined || !this.#isAwaited()) return
      // The test may have advanced the clock beyond the instant in the meantime.
      await this.#sim.clock.advanceTo(Math.max(next, now)).catch(() => {})
    }
  }

  /** Whether the code under test waits for time to pass. */
  #isAwaited(): boolean {
    return this.#sim.held > 0 || [...this.#timers].some((timer) => timer.hasRef())
  }

  /** Resolves when the code under test does nothing but wait. */
  async #settled(): Promise<void> {
    let seen: number
    do {
      seen = this.#activity
      await new Promise((resolve) => this.#realTimeout.call(globalThis, resolve, 1))
      for (let turn = 0; turn < TURNS; turn++)
        await new Promise((resolve) => this.#realImmediate.call(globalThis, resolve))
    } while (!this.#isStopped && (seen !== this.#activity || this.#requests > this.#sim.held))
  }
}
