import { letContinue, yieldToEventLoop } from '../awaitable.js'
import type { Clock } from './clock.js'
import { ClockControl, endOfTime } from './clock-control.js'
import { type Duration, toMilliseconds } from './durations.js'
import { endsWithin, InFlight } from './in-flight.js'
import { LATEST } from './instants.js'
import { Schedule } from './schedule.js'
import { startTimer } from './system-clock.js'
import { VirtualClock } from './virtual-clock.js'

/** The settings of the clock. */
export interface TimeSettings {
  /** `real` (the default) runs with the machine's time; `manual` moves only when it is advanced. */
  readonly clock?: 'real' | 'manual'
  /** Seconds on the simulator's clock per real second; 1 by default. */
  readonly speed?: number
  /** The instant at which a manual clock starts; 2026-01-01T00:00:00Z by default. */
  readonly start?: Date | string | number
  /** How long an advance of the clock waits for a receiver, in real time; 1s by default. */
  readonly patience?: Duration
}

/** How often to check whether a running clock was stopped, in milliseconds of real time. */
const CHECK_EVERY = 1_000

const MANUAL_START = '2026-01-01T00:00:00.000Z'

/** The time of one simulator: its clock, its schedule, and the work that an advance of the clock waits for. */
export class Time {
  readonly clock: VirtualClock
  readonly schedule: Schedule
  readonly control: ClockControl
  /** The work that an advance of the clock waits for, such as webhook attempts. */
  readonly inFlight = new InFlight()
  readonly #pauses: Pauses
  readonly #patience: number

  /** @param onError receives the error of a job that throws, or of a clock at its end; later jobs still run */
  constructor(settings: TimeSettings, onError: (error: unknown) => void) {
    this.#patience = toMilliseconds(settings.patience ?? '1s')
    this.clock = clockFor(settings, () => onError(endOfTime()))
    this.schedule = new Schedule(this.clock, onError)
    this.control = new ClockControl(this.clock, this.schedule, this.inFlight, this.#patience)
    this.#pauses = new Pauses(this.clock, this.schedule)
  }

  /** Waits for work, up to the configured patience in real time. */
  async waitForReceivers(work: Promise<unknown>): Promise<void> {
    await endsWithin(this.#patience, work)
  }

  /** Waits on the clock; {@link halt} ends the wait. */
  pause(milliseconds: number): Promise<void> {
    return this.#pauses.wait(milliseconds)
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
   * Calls `onPassed` when the milliseconds have passed on the clock. As soon as nobody has advanced a manual clock for the
   * configured patience in real time, the clock moves on by itself, from one event to the next, until the caller cancels:
   * a client that waits for an answer cannot advance it.
   * @returns a function that cancels the call
   */
  startDeadline(milliseconds: number, onPassed: () => void): () => void {
    const { clock, control, schedule } = this
    let isCanceled = false
    let stopWatching = () => {}
    const cancel = () => {
      isCanceled = true
      job.cancel()
      stopWatching()
    }
    const pass = () => {
      cancel()
      onPassed()
    }
    const watch = () => {
      const before = clock.now()
      const wait = clock.speed === 0 ? this.#patience : Math.max(this.#patience, CHECK_EVERY)
      const isStill = () => clock.speed === 0 && clock.now() === before
      stopWatching = startTimer(wait, () => void (isStill() ? moveOn() : watch()), true)
    }
    const moveOn = async () => {
      // At the latest, the next event is the deadline itself.
      while (!isCanceled && clock.speed === 0 && schedule.next !== undefined) {
        const next = Math.max(schedule.next, clock.now())
        // At the end of time, nothing else would end the wait.
        if (next > LATEST) return pass()
        await control.advanceTo(next).catch(() => {})
        // The code that waits for the event ends the wait.
        await yieldToEventLoop()
      }
      if (!isCanceled) watch()
    }
    const job = schedule.at(clock.now() + milliseconds, pass)
    watch()
    return cancel
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
    ? new VirtualClock(0, new Date(start).getTime(), onEnd)
    : new VirtualClock(speed, undefined, onEnd)
}

/** Waits for time to pass on the simulator's clock, such as for a delayed response. */
class Pauses {
  readonly #clock: Clock
  readonly #schedule: Schedule
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock, schedule: Schedule) {
    this.#clock = clock
    this.#schedule = schedule
  }

  /** Resolves when the milliseconds have passed on the clock, or when {@link end} is called. */
  wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        this.#waiting.delete(finish)
        resolve()
      }
      this.#waiting.add(finish)
      this.#schedule.at(this.#clock.now() + milliseconds, async () => {
        finish()
        // A stream may wait again for its next piece, which may be due at the same instant.
        await letContinue()
      })
    })
  }

  /** The number of waits. */
  get size(): number {
    return this.#waiting.size
  }

  /** Ends all waits, as a reset does. */
  end(): void {
    for (const finish of this.#waiting) finish()
  }

  /** Ends all waits, and further ones at once, because the clock has stopped. */
  close(): void {
    this.#isClosed = true
    this.end()
  }
}
