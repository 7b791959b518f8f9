import type { Reply } from '../../exchange/exchange.js'
import type { Simulator } from '../../simulator/simulator.js'
import { callUnabandonable } from '../abandoned.js'
import { realImmediate, realTimeout, runOnClock } from './global-time.js'
import type { SimTimer } from './sim-timer.js'

/** So many turns of the event loop that the code under test continues until it waits for time to pass. */
const TURNS = 20

/** So many times the clock waits for a file or an address. Some reads never end, such as one of a terminal. */
const MAX_WAITS = 200

/** So long the code under test must do nothing until a wait without a timer lets the clock move, in real milliseconds. */
const IDLE = 25

/** The names of pending reads and writes of files, look-ups of addresses and new connections. */
const INPUT_OUTPUT = /^(?:FSReq|CloseReq|GetAddrInfoReq|QueryReq|TCPConnect|PipeConnect)/

/** How long the code under test may wait for something without a timer. */
export interface Patience {
  /** Until when, in epoch milliseconds on the clock; undefined if nothing runs that may wait. */
  deadline(): number | undefined
  /** Receives that this code waits at the deadline. */
  giveUp(): void
}

/**
 * Runs the timers of the code under test on the manual clock of a simulator. While that code waits for a timer or for a
 * waiting answer, and nothing else happens, the clock moves on, from one event to the next. So a poll loop ends at once.
 */
export class ClockTimers {
  readonly #sim: Simulator
  readonly #patience: Patience | undefined
  /** Functions that undo the constructor. */
  readonly #undo: readonly (() => void)[]
  readonly #timers = new Set<SimTimer>()
  /** The number of requests that are being answered. */
  #requests = 0
  /** Changes with everything that happens in the code under test. */
  #activity = 0
  /** Requests that get no answer, until the client gives up. */
  #unanswered = 0
  /** Whether the clock moves on as soon as the code under test only waits. */
  #isMoving = false
  /** Whether it moves now. */
  #isAdvancing = false
  #isStopped = false
  /** Continue the timers that wait while the simulator is reset. */
  #suspended: readonly (() => void)[] = []

  /**
   * Runs all timers and `Date` on the clock until {@link stop}.
   * @param patience lets the clock also move while the code under test waits without a timer, up to its deadline
   */
  constructor(sim: Simulator, patience?: Patience) {
    this.#sim = sim
    this.#patience = patience
    sim.time.hasClientTimers = true
    const restoreGlobals = runOnClock({
      now: () => sim.clock.now(),
      schedule: (timer, milliseconds, onPassed) =>
        sim.time.startTimer(milliseconds, () => this.#passed(timer, onPassed)),
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
    if (patience !== undefined) this.#happened()
  }

  /** A reset restarts the clock, but the code under test goes on waiting. */
  #followResets(): readonly (() => void)[] {
    return [
      this.#sim.events.on('reset.begins', () => {
        this.#suspended = [...this.#timers].map((timer) => timer.suspend())
      }),
      this.#sim.events.on('control.used', (use) => {
        if (use !== 'reset') return
        for (const goOn of this.#suspended) goOn()
        this.#suspended = []
      }),
    ]
  }

  /** Prevents the clock from moving before a request is answered, unless the answer itself waits for the clock. */
  async track<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#requests += 1
    this.#happened()
    try {
      return await answer
    } finally {
      this.#requests -= 1
      this.#activity += 1
    }
  }

  /** {@link track}, for a reply that may be one that never arrives. */
  async trackReply(pending: Promise<Reply>, { signal }: Request): Promise<Reply> {
    const reply = await this.track(pending)
    if (reply.transmission !== undefined && 'hangs' in reply.transmission) this.#followHanging(signal)
    return reply
  }

  #followHanging(signal: AbortSignal): void {
    if (signal.aborted) return
    this.#unanswered += 1
    signal.addEventListener('abort', () => (this.#unanswered -= 1), { once: true })
  }

  /** Cancels the timers that wait. */
  cancel(): void {
    for (const timer of [...this.#timers]) timer.close()
  }

  /** Restores `Date`, makes timers real, and cancels those that wait. */
  stop(): void {
    this.#isStopped = true
    for (const undo of this.#undo) undo()
    this.cancel()
  }

  /** The clock goes on after the code under test has reacted to a timer. */
  async #passed(timer: SimTimer, onPassed: () => void): Promise<void> {
    // If the test moves the clock, the time limit of a request must not end it before it is answered.
    if (!timer.hasRef() && !this.#isAdvancing) await this.#settled()
    onPassed()
    await this.#settled()
  }

  #happened(): void {
    this.#activity += 1
    if (this.#isMoving || this.#isStopped) return
    this.#isMoving = true
    // The clock also moves for others than the function that happens to start it.
    void callUnabandonable(() => this.#moveClock()).finally(() => {
      this.#isMoving = false
    })
  }

  async #moveClock(): Promise<void> {
    for (;;) {
      await this.#settled()
      const now = this.#sim.clock.now()
      const deadline = this.#patience?.deadline()
      const isAwaited = this.#isAwaited()
      const next = earliest(this.#sim.clock.next, deadline)
      if (this.#isStopped || next === undefined || !(isAwaited || deadline !== undefined)) return
      if (!isAwaited && !(await this.#staysIdle())) continue
      if (deadline !== undefined && now >= deadline) {
        this.#patience?.giveUp()
        return
      }
      this.#isAdvancing = true
      // The test may have advanced the clock beyond the instant in the meantime.
      await this.#sim.clock.advanceTo(Math.max(next, now)).catch(() => {})
      this.#isAdvancing = false
    }
  }

  /** Whether the code under test waits for time to pass. */
  #isAwaited(): boolean {
    // A request that gets no answer ends with a timer that has no reference, such as one of `AbortSignal.timeout`.
    const isTimed = this.#unanswered > 0 && this.#timers.size > 0
    return this.#sim.waitingAnswers > 0 || isTimed || [...this.#timers].some((timer) => timer.hasRef())
  }

  /** Resolves when the code under test does nothing but wait for time to pass, or for the test. */
  async #settled(): Promise<void> {
    let seen: number
    let waits = 0
    do {
      seen = this.#activity
      await new Promise((resolve) => realTimeout(resolve, 1))
      for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => realImmediate(resolve))
    } while (!this.#isStopped && (this.#isBusy(seen) || (isReading() && waits++ < MAX_WAITS)))
  }

  /** Whether nothing happens for some real time: the code under test may also wait for something outside. */
  async #staysIdle(): Promise<boolean> {
    const seen = this.#activity
    await new Promise((resolve) => realTimeout(resolve, IDLE))
    return !this.#isBusy(seen) && !isReading()
  }

  #isBusy(seen: number): boolean {
    return seen !== this.#activity || this.#requests > this.#sim.waitingAnswers
  }
}

/** Whether this process reads or writes a file, or looks for another process. */
function isReading(): boolean {
  return process.getActiveResourcesInfo().some((name) => INPUT_OUTPUT.test(name))
}

function earliest(...instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((instant) => instant !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
