import { yieldToEventLoop } from '../awaitable.js'
import type { Clock } from './clock.js'
import type { ClockControl } from './clock-control.js'
import { LATEST } from './instants.js'
import type { Schedule } from './schedule.js'
import { startTimer } from './system-clock.js'

/** How often to check whether a running clock was stopped, in milliseconds of real time. */
const CHECK_EVERY = 1_000

/** Ends waits on the clock of a client that cannot advance it. */
export class Deadlines {
  readonly #clock: Clock
  readonly #control: ClockControl
  readonly #schedule: Schedule

  constructor(clock: Clock, control: ClockControl, schedule: Schedule) {
    this.#clock = clock
    this.#control = control
    this.#schedule = schedule
  }

  /**
   * Calls `onPassed` when the milliseconds have passed on the clock. As soon as nobody has advanced a manual clock for
   * `patience`, the clock moves on by itself, from one event to the next, until the caller cancels: a client that waits
   * for an answer cannot advance it.
   * @param patience how long to wait for someone to advance a manual clock, in milliseconds of real time
   * @param onPassed called with whether the clock has moved on by itself
   * @returns a function that cancels the call
   */
  start(
    milliseconds: number,
    patience: number,
    onPassed: (byItself: boolean) => void | Promise<void>,
  ): () => void {
    const clock = this.#clock
    const schedule = this.#schedule
    let isCanceled = false
    let byItself = false
    let stopWatching = () => {}
    const cancel = () => {
      isCanceled = true
      job.cancel()
      stopWatching()
    }
    const watch = () => {
      const before = clock.now()
      const wait = clock.speed === 0 ? patience : Math.max(patience, CHECK_EVERY)
      stopWatching = startTimer(wait, () => void (isStill(clock, before) ? moveOn() : watch()), true)
    }
    const moveOn = async () => {
      byItself = true
      // At the latest, the next event is the deadline itself.
      while (!isCanceled && clock.speed === 0 && schedule.next !== undefined) {
        const next = Math.max(schedule.next, clock.now())
        // At the end of time, nothing else would end the wait.
        if (next > LATEST) return pass()
        await this.#control.advanceTo(next).catch(() => {})
        // The code that waits for the event ends the wait.
        await yieldToEventLoop()
      }
      byItself = false
      if (!isCanceled) watch()
    }
    const pass = () => {
      cancel()
      return onPassed(byItself)
    }
    const job = schedule.at(clock.now() + milliseconds, pass)
    watch()
    return cancel
  }
}

function isStill(clock: Clock, before: number): boolean {
  return clock.speed === 0 && clock.now() === before
}
