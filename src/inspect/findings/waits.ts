import type { AnsweredRequest, Instant } from '../../engine/requests/answered-request.js'

/** Milliseconds on the simulator's clock and in real time. */
interface Gap {
  readonly simulated: number
  readonly real: number
}

/**
 * Judges how long a client waited. The client sleeps in real time, and the service counts on the simulator's clock. If
 * the two differ, a wait is too short or too long only if it is so on both. On a manual clock, the client waits on
 * that clock.
 */
export class Waits {
  /** Seconds on the clock per real second, at the fastest; 0 if the clock is manual. */
  readonly #speed: number
  readonly #hasClockTimers: boolean

  /** @param hasClockTimers whether the timers of the client run on the manual clock */
  constructor(speed: number, hasClockTimers = false) {
    this.#speed = speed
    this.#hasClockTimers = hasClockTimers
  }

  /** Whether the clock has been faster than the client. */
  get isFaster(): boolean {
    return this.#speed > 1
  }

  /** Whether the timers of the client run on a manual clock. */
  get areOnClock(): boolean {
    return this.#hasClockTimers && this.#speed === 0
  }

  /** Why {@link isShorter} or {@link isLonger} cannot tell. */
  get reason(): string {
    const { remedy } = this
    if (this.isFaster)
      return `The clock runs up to ${this.#speed} times as fast as the client, so its waits are longer on the clock than in real time. ${remedy}`
    return `The clock stood still or was moved while the client waited in real time. ${remedy}`
  }

  private get remedy(): string {
    return 'Check this rule at speed 1, or let the client wait with a function that advances the manual clock.'
  }

  /** Whether less than `wait` milliseconds passed between two requests, or their answers. Undefined if it is unclear. */
  isShorter(earlier: Instant, later: Instant, wait: number): boolean | undefined {
    return this.isBelow({ simulated: later.at - earlier.at, real: later.realAt - earlier.realAt }, wait)
  }

  /** Whether a client retried at the same instant of the clock on which its timers run, after it had got the answer. */
  isAtOnce(earlier: AnsweredRequest, later: AnsweredRequest): boolean {
    const { lastArrived } = earlier.note
    const isAfter = lastArrived !== undefined && later.id > lastArrived
    return this.areOnClock && isAfter && later.at === earlier.answeredAt
  }

  /** Whether a gap is shorter than `wait` milliseconds. Undefined if it is unclear. */
  isBelow({ simulated, real }: Gap, wait: number): boolean | undefined {
    if (this.#speed === 0) {
      if (simulated >= wait) return false
      return simulated > 0 && real < wait ? true : undefined
    }
    return simulated < wait === real < wait ? simulated < wait : undefined
  }

  /** Whether more than `limit` milliseconds passed between two requests. Undefined if it is unclear. */
  isLonger(earlier: AnsweredRequest, later: AnsweredRequest, limit: number): boolean | undefined {
    return this.isAbove({ simulated: later.at - earlier.at, real: later.realAt - earlier.realAt }, limit)
  }

  /** Whether a gap is longer than `limit` milliseconds. Undefined if it is unclear. */
  isAbove({ simulated, real }: Gap, limit: number): boolean | undefined {
    if (simulated <= limit) return false
    // A test that moves the clock means that the time passes for the client, too.
    const moved = simulated - real * Math.max(1, this.#speed)
    return this.#speed === 0 || real > limit || moved > limit ? true : undefined
  }

  /** Converts milliseconds of real time to the clock, if it is faster. */
  onClock(milliseconds: number): number {
    return milliseconds * Math.max(1, this.#speed)
  }
}
