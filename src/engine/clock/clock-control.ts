import { UsageError } from '../errors.js'
import { type Duration, toMilliseconds } from './durations.js'
import type { InFlight } from './in-flight.js'
import { isSpeed, SPEED_FORM } from './speed.js'
import type { Timeline } from './timeline.js'
import type { VirtualClock } from './virtual-clock.js'

/** An instant: a Date, an ISO 8601 string, or epoch milliseconds. */
export type Instant = Date | string | number

/** Later than this, instants are no longer written with four digits for the year, as ISO 8601 wants. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const EARLIEST = Date.UTC(1, 0, 1)

/** Whether a clock can stand at an instant, in epoch milliseconds. */
export function isWithinReach(at: number): boolean {
  return at >= EARLIEST && at <= LATEST
}

/** How far {@link ClockControl.runUntilIdle} goes unless told otherwise. */
const IDLE_LIMIT = '365d'

/** The handle by which a test or a person turns the simulator's clock. */
export class ClockControl {
  readonly #clock: VirtualClock
  readonly #timeline: Timeline
  readonly #inFlight: InFlight
  readonly #patience: number
  #turn: Promise<unknown> = Promise.resolve()
  #stops = 0

  /** @param patience real milliseconds that an advance waits for a receiver before time goes on without it */
  constructor(clock: VirtualClock, timeline: Timeline, inFlight: InFlight, patience: number) {
    this.#clock = clock
    this.#timeline = timeline
    this.#inFlight = inFlight
    this.#patience = patience
  }

  /** Now, in epoch milliseconds. */
  now(): number {
    return this.#clock.now()
  }

  /** `manual` while time stands still until it is advanced, `real` while it runs, at {@link speed}. */
  get mode(): 'manual' | 'real' {
    return this.#clock.speed === 0 ? 'manual' : 'real'
  }

  /** How many seconds of service pass in a second; 0 in manual mode. */
  get speed(): number {
    return this.#clock.speed
  }

  /** The instant of what comes next, in epoch milliseconds; undefined when nothing is planned. */
  get next(): number | undefined {
    return this.#timeline.next
  }

  /** Stops time; from here on it moves only when advanced. What is in flight stays as it is. */
  freeze(): void {
    this.#clock.setSpeed(0)
  }

  /**
   * Lets time run from now on, at `speed` times the machine's.
   * @throws UsageError where speed is not a number above 0
   */
  run(speed = 1): void {
    if (!isSpeed(speed)) throw new UsageError(`Expected \`speed\` to be ${SPEED_FORM}, got ${speed}`)
    this.#clock.setSpeed(speed)
  }

  /**
   * Moves time forward, letting everything that is due on the way happen in order, webhook attempts and their
   * retries included. A receiver that has not answered after the simulator's `patience` of real time is no
   * longer waited for; its attempt then times out on this clock.
   * @throws UsageError where the duration is negative, endless or not a duration
   */
  async advance(duration: Duration): Promise<void> {
    const milliseconds = toMilliseconds(duration)
    await this.#inTurn(() => this.#moveTo(this.#clock.now() + milliseconds))
  }

  /**
   * Moves time forward to an instant, like {@link advance}.
   * @throws UsageError where the instant is not one, or lies in the past
   */
  advanceTo(instant: Instant): Promise<void> {
    const at = new Date(instant).getTime()
    return this.#inTurn(async () => {
      if (Number.isNaN(at) || at < this.#clock.now()) {
        const now = new Date(this.#clock.now()).toISOString()
        throw new UsageError(
          `Cannot advance the clock to ${JSON.stringify(instant)}: it is ${now}. Give a later instant.`,
        )
      }
      await this.#moveTo(at)
    })
  }

  /**
   * Moves time forward from event to event until nothing is planned any more.
   * @param options.limit how far to go at the most
   * @throws UsageError where something is still planned beyond the limit
   */
  async runUntilIdle(options: { limit?: Duration } = {}): Promise<void> {
    const limit = toMilliseconds(options.limit ?? IDLE_LIMIT)
    await this.#inTurn(async () => {
      const isDone = await this.#pass(Math.min(this.#clock.now() + limit, LATEST))
      const next = this.#timeline.next
      if (!isDone || next === undefined) return
      throw new UsageError(
        `Not idle after ${options.limit ?? IDLE_LIMIT}: something is planned for ${new Date(next).toISOString()}. ` +
          'Pass a larger `limit`, or look for a receiver or scenario that never comes to an end.',
      )
    })
  }

  /** Ends all advances that are under way where they are, as a reset does. */
  stop(): void {
    this.#stops += 1
  }

  /** Resolves when all that is due by now has happened and no webhook attempt is in flight. */
  async settled(): Promise<void> {
    do {
      await this.#timeline.catchUp()
      await this.#inFlight.ended()
    } while (this.#timeline.catchUp() !== undefined || this.#inFlight.size > 0)
  }

  /** One advance after the other: two at once would each see the other's time. */
  #inTurn(action: () => Promise<void>): Promise<void> {
    const stops = this.#stops
    const turn = this.#turn.then(() => (stops === this.#stops ? action() : undefined))
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #moveTo(target: number): Promise<void> {
    if (target > LATEST) throw new UsageError('Cannot advance the clock beyond the year 9999.')
    await this.#pass(target, true)
  }

  /**
   * Goes from event to event, as far as the last one that lies before or at `end`.
   * @param lands whether it stands at `end` at last, though nothing happens there
   * @returns whether it was left to go that far
   */
  async #pass(end: number, lands = false): Promise<boolean> {
    const stops = this.#stops
    for (;;) {
      await this.#timeline.catchUp()
      await this.#inFlight.idle(this.#patience)
      if (stops !== this.#stops) return false
      const next = this.#timeline.next
      if (next === undefined || next > end) {
        if (lands) this.#clock.moveTo(end)
        return true
      }
      this.#clock.moveTo(next)
    }
  }
}
