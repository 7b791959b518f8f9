import type { Clock } from './clock.js'
import { LATEST, writableInstant } from './instants.js'
import { startTimer, stopwatch, systemNow } from './system-clock.js'

// In milliseconds. Timers pause while the machine sleeps, so the clock is checked at least this often.
const LONGEST_WAIT = 60_000

/** What a clock shows at an instant. */
export interface ClockReading {
  /** Seconds on the clock per real second; 0 is the manual clock. */
  readonly speed: number
  /** Epoch milliseconds on the clock. */
  readonly now: number
  /** Epoch milliseconds on the machine's clock. */
  readonly wall: number
}

/**
 * A clock that runs `speed` times as fast as the machine's. At speed 0 only `moveTo` changes it.
 *
 * It measures time with the wall clock, which also runs while the machine sleeps. If the wall clock was set back, it
 * uses the steady clock. So it follows every jump forward and never goes back. At the end of the year 9999 it stops.
 */
export class VirtualClock implements Clock {
  /** Seconds on the clock per real second; 0 is the manual clock. */
  speed: number
  readonly #initial: { speed: number; start: number | undefined }
  #fastest: number
  /** An instant of this clock, and the readings of the machine's clocks at that instant. */
  #anchor: { now: number; wall: number; steady: number }
  #latest: number
  #alarm: { at: number; wake: () => void } | undefined
  #timer: { endsAt: number; cancel: () => void } | undefined
  readonly #onEnd: () => void

  /**
   * @param speed 1 is real time, 60 is a minute per real second, 0 is the manual clock
   * @param start epoch milliseconds; the machine's time by default
   * @param onEnd called when a running clock has reached the end of the year 9999, and is manual from now on
   */
  constructor(speed: number, start?: number, onEnd: () => void = () => {}) {
    this.#onEnd = onEnd
    this.#initial = { speed, start }
    this.speed = speed
    this.#fastest = speed
    this.#latest = start ?? systemNow()
    this.#anchor = anchorAt(this.#latest)
  }

  /** The highest speed since the clock started. */
  get fastest(): number {
    return this.#fastest
  }

  now(): number {
    if (this.speed === 0) return this.#latest
    const { now, wall, steady } = this.#anchor
    const passed = Math.max(systemNow() - wall, Math.floor(stopwatch() - steady))
    const current = Math.floor(now + passed * this.speed)
    if (current >= LATEST) this.#end()
    // The wall clock was set forward and then back: restart the measurement.
    else if (current < this.#latest) this.#anchor = anchorAt(this.#latest)
    else this.#latest = current
    return this.#latest
  }

  /** Changes the speed from now on. Scheduled jobs keep their instants. */
  setSpeed(speed: number): void {
    this.#continueFrom(this.now(), speed)
  }

  /** The speed, the time, and the machine's time. */
  get reading(): ClockReading {
    return { speed: this.speed, now: this.now(), wall: systemNow() }
  }

  /**
   * Continues from a reading of another process.
   * @param countsGap whether the time since the reading counts, as if the clock had never stopped
   */
  restore({ speed, now, wall }: ClockReading, countsGap: boolean): void {
    const gap = countsGap ? Math.max(0, systemNow() - wall) : 0
    this.#continueFrom(Math.floor(now + gap * speed), speed)
  }

  /** Returns to the initial speed and start. */
  restart(): void {
    this.#fastest = this.#initial.speed
    this.#continueFrom(this.#initial.start ?? systemNow(), this.#initial.speed)
  }

  moveTo(at: number): void {
    if (at > this.now()) this.#continueFrom(at, this.speed)
    else this.#startTimer()
  }

  setAlarm(at: number | undefined, wake: () => void): void {
    if (at === this.#alarm?.at && at !== undefined) return
    this.#alarm = at === undefined ? undefined : { at, wake }
    this.#startTimer()
  }

  /** Stops the clock at the last instant that can be written. */
  #end(): void {
    this.#continueFrom(LATEST, 0)
    this.#onEnd()
  }

  #continueFrom(at: number, speed: number): void {
    const now = writableInstant(at)
    this.#latest = now
    this.speed = speed
    this.#fastest = Math.max(this.#fastest, speed)
    if (speed !== 0) this.#anchor = anchorAt(now)
    this.#timer?.cancel()
    this.#timer = undefined
    this.#startTimer()
  }

  /**
   * Starts a timer for the alarm, unless a running timer ends no later. A timer that ends too early starts the next
   * one. Almost every task sets an alarm, and a timer for each of them would cost more than a timer that sometimes ends
   * too early.
   */
  #startTimer(): void {
    if (this.#alarm === undefined || this.speed === 0) return
    const wait = Math.min(Math.ceil((this.#alarm.at - this.now()) / this.speed), LONGEST_WAIT)
    const endsAt = stopwatch() + wait
    if (this.#timer !== undefined && this.#timer.endsAt <= endsAt) return
    this.#timer?.cancel()
    this.#timer = { endsAt, cancel: startTimer(wait, () => this.#onTimer()) }
  }

  #onTimer(): void {
    this.#timer = undefined
    const alarm = this.#alarm
    if (alarm === undefined || this.speed === 0) return
    if (this.now() < alarm.at) {
      this.#startTimer()
      return
    }
    this.#alarm = undefined
    alarm.wake()
  }
}

function anchorAt(now: number): { now: number; wall: number; steady: number } {
  return { now, wall: systemNow(), steady: stopwatch() }
}
