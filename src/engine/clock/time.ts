import { ClockControl, endOfTime } from './clock-control.js'
import { Deadlines } from './deadlines.js'
import { type Duration, toMilliseconds } from './durations.js'
import { endsWithin, InFlight } from './in-flight.js'
import { Pauses } from './pauses.js'
import { type Instant, readInstant } from './read-instant.js'
import { Schedule } from './schedule.js'
import { systemNow } from './system-clock.js'
import { VirtualClock } from './virtual-clock.js'

/** The settings of the clock. */
export interface TimeSettings {
  /** `real` (the default) runs with the machine's time; `manual` moves only when it is advanced. */
  readonly clock?: 'real' | 'manual'
  /** Seconds on the simulator's clock per real second; 1 by default. */
  readonly speed?: number
  /** The instant at which a manual clock starts; 2026-01-01T00:00:00Z by default. */
  readonly start?: Instant
  /**
   * How long an advance of the clock waits for a receiver, and an answer for somebody to advance a manual clock, in real
   * time; 1s by default.
   */
  readonly patience?: Duration
}

const MANUAL_START = '2026-01-01T00:00:00.000Z'

/** The time of one simulator: its clock, its schedule, and the work that an advance of the clock waits for. */
export class Time {
  readonly clock: VirtualClock
  readonly schedule: Schedule
  readonly control: ClockControl
  /** The work that an advance of the clock waits for, such as webhook attempts. */
  readonly inFlight = new InFlight()
  /** Whether the timers of the client run on the clock, too. */
  hasClientTimers = false
  readonly #deadlines: Deadlines
  readonly #pauses: Pauses
  readonly #patience: number

  /** @param onError receives the error of a job that throws, or of a clock at its end; later jobs still run */
  constructor(settings: TimeSettings, onError: (error: unknown) => void) {
    this.#patience = toMilliseconds(settings.patience ?? '1s')
    this.clock = clockFor(settings, () => onError(endOfTime()))
    this.schedule = new Schedule(this.clock, onError)
    this.control = new ClockControl(this.clock, this.schedule, this.inFlight, {
      patience: this.#patience,
      isDated: settings.start !== undefined,
    })
    this.#deadlines = new Deadlines(this.clock, this.control, this.schedule)
    this.#pauses = new Pauses(this.clock, this.#deadlines, this.#patience)
  }

  /**
   * The instant that decides which APIs have ended, in epoch milliseconds: that of the machine, unless somebody has chosen
   * the date of the clock.
   */
  today(): number {
    return this.control.isDated ? this.clock.now() : systemNow()
  }

  /** Waits for work, up to the configured patience in real time. */
  async waitForReceivers(work: Promise<unknown>): Promise<void> {
    await endsWithin(this.#patience, work)
  }

  /**
   * Waits on the clock, until the signal is aborted or {@link halt} ends the wait. A manual clock moves on by itself as in
   * {@link startDeadline}.
   */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#pauses.wait(milliseconds, signal)
  }

  /** The number of waits of {@link pause}. */
  get pauses(): number {
    return this.#pauses.size
  }

  /**
   * Calls a function after some milliseconds on the clock. An advance waits for the promise that it returns.
   * @returns a function that cancels the call
   */
  startTimer(milliseconds: number, onPassed: () => Promise<unknown>): () => void {
    const job = this.schedule.at(this.clock.now() + milliseconds, () => this.inFlight.track(onPassed()))
    return () => job.cancel()
  }

  /**
   * Calls `onPassed` when the milliseconds have passed on the clock. A manual clock moves on by itself if nobody has
   * advanced it for the configured patience in real time.
   * @returns a function that cancels the call
   */
  startDeadline(milliseconds: number, onPassed: () => void): () => void {
    return this.#deadlines.start(milliseconds, this.#patience, onPassed)
  }

  /** Stops the clock. Waits of {@link pause} end at once from now on. */
  close(): void {
    this.halt()
    this.#pauses.close()
    this.clock.setSpeed(0)
  }

  /** Removes all scheduled jobs and ends all waits. */
  halt(): void {
    this.control.stop()
    this.schedule.clear()
    this.#pauses.end()
    this.inFlight.clear()
  }
}

function clockFor(
  { clock = 'real', speed = 1, start = MANUAL_START }: TimeSettings,
  onEnd: () => void,
): VirtualClock {
  return clock === 'manual'
    ? new VirtualClock(0, readInstant(start), onEnd)
    : new VirtualClock(speed, undefined, onEnd)
}
