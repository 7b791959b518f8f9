import type { AnsweredRequest } from '../../engine/events.js'

/** The least milliseconds on the simulator's clock and in real time since an instant. */
interface Gap {
  readonly simulated: number
  readonly real: number
}

/**
 * Judges how long a client waited. The client sleeps in real time, and the service counts on the simulator's clock. If the
 * two differ, a wait is too short or too long only if it is so on both. On a manual clock, the client waits on that clock.
 */
export class Waits {
  /** Seconds on the clock per real second, at the fastest; 0 if the clock is manual. */
  readonly #speed: number

  constructor(speed: number) {
    this.#speed = speed
  }

  /** Whether the clock has been faster than the client. */
  get isFaster(): boolean {
    return this.#speed > 1
  }

  /** Why {@link isShorter} or {@link isLonger} cannot tell. */
  get reason(): string {
    const { remedy } = this
    if (this.isFaster)
      return `The clock runs up to ${this.#speed} times as fast as the client, so its waits are longer on the clock than in real time. ${remedy}`
    return `The clock stood still or was moved while the client waited in real time. ${remedy}`
  }

  private get remedy(): string {
    return 'Check this rule at speed 1, or with the timers of the client on a manual clock.'
  }

  /** Whether the client sent a request less than `wait` milliseconds after an earlier one. Undefined if it is unclear. */
  isShorter(earlier: AnsweredRequest, later: AnsweredRequest, wait: number): boolean | undefined {
    return this.isBelow({ simulated: later.at - earlier.at, real: later.realAt - earlier.realAt }, wait)
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
    const simulated = later.at - earlier.at
    if (simulated <= limit) return false
    const real = later.realAt - earlier.realAt
    // A test that moves the clock means that the time passes for the client, too.
    const moved = simulated - real * Math.max(1, this.#speed)
    return this.#speed === 0 || real > limit || moved > limit ? true : undefined
  }

  /** Converts milliseconds of real time to the clock, if it is faster. */
  onClock(milliseconds: number): number {
    return milliseconds * Math.max(1, this.#speed)
  }
}
