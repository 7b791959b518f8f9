import { checkOptionNames, describeValue, UsageError } from '../errors.js'
import { isSpeed, SPEED_FORM } from './clock.js'
import { type Duration, toMilliseconds } from './durations.js'
import type { InFlight } from './in-flight.js'
import { isoTime, LATEST } from './instants.js'
import { INSTANT_FORM, type Instant, readInstant } from './read-instant.js'
import type { Schedule } from './schedule.js'
import type { VirtualClock } from './virtual-clock.js'

/** The error at the end of the time that a clock can show. */
export function endOfTime(): UsageError {
  return new UsageError('The clock stops at the end of the year 9999: reset the simulator.')
}

/** The default limit of {@link ClockControl.runUntilIdle}. */
const IDLE_LIMIT = '365d'

/** Controls the simulator's clock: for tests, and for the control API. */
export class ClockControl {
  readonly #clock: VirtualClock
  readonly #schedule: Schedule
  readonly #inFlight: InFlight
  readonly #patience: number
  #lastAdvance: Promise<unknown> = Promise.resolve()
  #stops = 0
  /** Whether somebody has chosen the date of the clock: with `start`, or with {@link advanceTo}. */
  isDated: boolean

  /**
   * @param patience how long an advance waits for a receiver, in milliseconds of real time
   * @param isDated whether the clock starts at an instant that somebody has chosen
   */
  constructor(
    clock: VirtualClock,
    schedule: Schedule,
    inFlight: InFlight,
    { patience, isDated }: { readonly patience: number; readonly isDated: boolean },
  ) {
    this.isDated = isDated
    this.#clock = clock
    this.#schedule = schedule
    this.#inFlight = inFlight
    this.#patience = patience
  }

  /** The current time, in epoch milliseconds. */
  now(): number {
    return this.#clock.now()
  }

  /** `manual` if only an advance moves time, `real` if time runs at {@link speed}. */
  get mode(): 'manual' | 'real' {
    return this.#clock.speed === 0 ? 'manual' : 'real'
  }

  /** Seconds on this clock per real second; 0 in manual mode. */
  get speed(): number {
    return this.#clock.speed
  }

  /** The instant of the next scheduled job, in epoch milliseconds; undefined if there is none. */
  get next(): number | undefined {
    return this.#schedule.next
  }

  /** Stops the clock, so that only an advance moves it. Webhook attempts in flight continue. */
  freeze(): void {
    this.#clock.setSpeed(0)
  }

  /**
   * Runs the clock at `speed` times the speed of real time.
   * @throws UsageError if speed is not a number above 0, or the clock has reached the end of the year 9999
   */
  run(speed = 1): void {
    if (!isSpeed(speed)) throw new UsageError(`Expected \`speed\` to be ${SPEED_FORM}, got ${speed}`)
    if (this.#clock.now() >= LATEST) throw endOfTime()
    this.#clock.setSpeed(speed)
  }

  /**
   * Moves time forward and runs everything that becomes due, in order, including webhook attempts and their retries. It
   * waits for a receiver, but no longer than the simulator's `patience` in real time. After that, the clock moves on,
   * and the attempt times out on this clock.
   * @throws UsageError if the duration is negative, infinite or not a duration
   */
  async advance(duration: Duration): Promise<void> {
    const milliseconds = toMilliseconds(duration)
    await this.#enqueue(() => this.#moveTo(this.#clock.now() + milliseconds))
  }

  /**
   * Moves time forward to an instant, like {@link advance}.
   * @throws UsageError if the instant is invalid or has passed
   */
  advanceTo(instant: Instant): Promise<void> {
    const at = readInstant(instant)
    const given = describeValue(instant)
    return this.#enqueue(async () => {
      if (at === undefined)
        throw new UsageError(`Cannot advance the clock to ${given}: expected ${INSTANT_FORM}`)
      const now = this.#clock.now()
      if (at < now) {
        throw new UsageError(
          `Cannot advance the clock to ${given}: it is ${isoTime(now)}. Give a later instant.`,
        )
      }
      this.isDated = true
      await this.#moveTo(at)
    })
  }

  /**
   * Moves time forward from job to job until none is scheduled.
   * @param options.limit how far to move at most; a year by default
   * @throws UsageError if a job is scheduled after the limit
   */
  async runUntilIdle(options: { limit?: Duration } = {}): Promise<void> {
    checkOptionNames('runUntilIdle', options, { limit: true })
    const limit = toMilliseconds(options.limit ?? IDLE_LIMIT)
    await this.#enqueue(async () => {
      const isDone = await this.#runJobsUntil(Math.min(this.#clock.now() + limit, LATEST))
      const next = this.#schedule.next
      if (!isDone || next === undefined) return
      if (next > LATEST) throw endOfTime()
      throw new UsageError(
        `Not idle after ${options.limit ?? IDLE_LIMIT}: a job is scheduled for ${isoTime(next)}. ` +
          'Pass a larger `limit`, or look for a receiver or a scenario that keeps scheduling jobs.',
      )
    })
  }

  /** Ends all running advances at the current instant, as a reset does. */
  stop(): void {
    this.#stops += 1
  }

  /** Resolves when everything that is due has run and no webhook attempt is in flight. */
  async settled(): Promise<void> {
    do {
      await this.#schedule.catchUp()
      await this.#inFlight.ended()
    } while (!this.#schedule.isIdle || this.#inFlight.size > 0)
  }

  /** Runs advances one after the other, because two concurrent advances would disturb each other. */
  #enqueue(action: () => Promise<void>): Promise<void> {
    const stops = this.#stops
    const advance = this.#lastAdvance.then(() => (stops === this.#stops ? action() : undefined))
    this.#lastAdvance = advance.catch(() => {})
    return advance
  }

  async #moveTo(target: number): Promise<void> {
    if (target > LATEST) throw endOfTime()
    await this.#runJobsUntil(target, true)
  }

  /**
   * Moves from job to job, up to the last one that is due by `end`.
   * @param movesToEnd whether to move the clock to `end` after the last job
   * @returns false if {@link stop} interrupted it
   */
  async #runJobsUntil(end: number, movesToEnd = false): Promise<boolean> {
    const stops = this.#stops
    for (;;) {
      await this.#schedule.catchUp()
      if (this.#inFlight.isAwaited) await this.#inFlight.idle(this.#patience)
      if (stops !== this.#stops) return false
      const next = this.#schedule.next
      if (next === undefined || next > end) {
        if (movesToEnd) this.#clock.moveTo(end)
        return true
      }
      this.#clock.moveTo(next)
    }
  }
}
