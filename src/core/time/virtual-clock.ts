import type { Clock } from './clock.js'
import { startTimer, systemNow } from './system-clock.js'

/**
 * A clock that runs at `speed` times the machine's, or stands still at speed 0 until it is moved.
 *
 * It counts the time that passes rather than copying the wall clock, so a wall clock that is set back costs
 * nothing but the jump itself: now never goes backwards.
 */
export class VirtualClock implements Clock {
  readonly #initial: { speed: number; start: number | undefined }
  #now: number
  #seen = systemNow()
  #speed: number
  #alarm: { at: number; wake: () => void } | undefined
  #timer: { rings: number; cancel: () => void } | undefined

  /**
   * @param speed 1 is real time, 60 makes a minute of service pass in a second, 0 is the manual clock
   * @param start epoch milliseconds at which it starts; the machine's now unless given
   */
  constructor(speed: number, start?: number) {
    this.#initial = { speed, start }
    this.#speed = speed
    this.#now = start ?? this.#seen
  }

  get speed(): number {
    return this.#speed
  }

  now(): number {
    if (this.#speed === 0) return this.#now
    const seen = systemNow()
    if (seen > this.#seen) this.#now += (seen - this.#seen) * this.#speed
    this.#seen = seen
    return this.#now
  }

  /** Lets time go on from now at another speed; what is due stays due at the same instants. */
  setSpeed(speed: number): void {
    this.now()
    this.#seen = systemNow()
    this.#speed = speed
    this.#timer?.cancel()
    this.#timer = undefined
    this.#arm()
  }

  /** Begins anew, as it was made. */
  restart(): void {
    this.#seen = systemNow()
    this.#now = this.#initial.start ?? this.#seen
    this.setSpeed(this.#initial.speed)
  }

  moveTo(at: number): void {
    if (at > this.now()) this.#now = at
    this.#arm()
  }

  setAlarm(at: number | undefined, wake: () => void): void {
    if (at === this.#alarm?.at && at !== undefined) return
    this.#alarm = at === undefined ? undefined : { at, wake }
    this.#arm()
  }

  /**
   * Starts a timer for the alarm, unless one is running that ends no later: it will find out then that it is too
   * early. Alarms are set with almost every task, and starting a timer costs more than an idle one.
   */
  #arm(): void {
    if (this.#alarm === undefined || this.#speed === 0) return
    const wait = Math.ceil((this.#alarm.at - this.now()) / this.#speed)
    const rings = this.#seen + wait
    if (this.#timer !== undefined && this.#timer.rings <= rings) return
    this.#timer?.cancel()
    this.#timer = { rings, cancel: startTimer(wait, () => this.#ring()) }
  }

  #ring(): void {
    this.#timer = undefined
    const alarm = this.#alarm
    if (alarm === undefined || this.#speed === 0) return
    if (this.now() < alarm.at) {
      this.#arm()
      return
    }
    this.#alarm = undefined
    alarm.wake()
  }
}
