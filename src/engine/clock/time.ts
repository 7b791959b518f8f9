import { ClockControl } from './clock-control.js'
import { type Duration, toMilliseconds } from './durations.js'
import { endsWithin, InFlight } from './in-flight.js'
import { Pauses } from './pauses.js'
import { Timeline } from './timeline.js'
import { VirtualClock } from './virtual-clock.js'

/** How time passes. */
export interface TimeSettings {
  /** `real` (the default) runs with the machine's time; `manual` stands still until it is advanced. */
  readonly clock?: 'real' | 'manual'
  /** How many seconds of service pass in a real second; 1 unless given. */
  readonly speed?: number
  /** The instant at which a manual clock starts, 2026-01-01T00:00:00Z unless given. */
  readonly start?: Date | string | number
  /** How much real time an advance of the clock gives a receiver to answer; 1s unless given. */
  readonly patience?: Duration
}

const MANUAL_START = '2026-01-01T00:00:00.000Z'

/** What lets time pass in one simulator: its clock, what is due on it, and what waits for it. */
export class Time {
  readonly clock: VirtualClock
  readonly timeline: Timeline
  /** Turns the clock. */
  readonly control: ClockControl
  /** The webhook attempts that are under way. */
  readonly inFlight = new InFlight()
  readonly #pauses: Pauses
  readonly #patience: number

  /** @param onError hears of what was thrown by something that happened; time itself goes on */
  constructor(settings: TimeSettings, onError: (error: unknown) => void) {
    this.#patience = toMilliseconds(settings.patience ?? '1s')
    this.clock = clockFor(settings)
    this.timeline = new Timeline(this.clock, onError)
    this.control = new ClockControl(this.clock, this.timeline, this.inFlight, this.#patience)
    this.#pauses = new Pauses(this.clock, this.timeline)
  }

  /** Waits for receivers, but no longer than the patience that there is, which is of real time. */
  async patiently(work: Promise<unknown>): Promise<void> {
    await endsWithin(this.#patience, work)
  }

  /** Waits on the clock; a halt ends the wait. */
  pause(milliseconds: number): Promise<void> {
    return this.#pauses.wait(milliseconds)
  }

  /** Takes away all that is planned, and lets nobody wait for it any more. */
  halt(): void {
    this.control.stop()
    this.timeline.clear()
    this.#pauses.end()
    this.inFlight.clear()
  }
}

function clockFor({ clock = 'real', speed = 1, start = MANUAL_START }: TimeSettings): VirtualClock {
  return clock === 'manual' ? new VirtualClock(0, new Date(start).getTime()) : new VirtualClock(speed)
}
