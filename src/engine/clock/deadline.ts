import { yieldToEventLoop } from '../awaitable.js'
import type { Clock } from './clock.js'
import type { ClockControl } from './clock-control.js'
import { LATEST } from './instants.js'
import type { Schedule } from './schedule.js'
import { startTimer } from './system-clock.js'

/** The parts that {@link startDeadline} needs. */
export interface DeadlineParts {
  readonly clock: Clock
  readonly control: ClockControl
  readonly schedule: Schedule
  /** How long to wait for someone to advance a manual clock, in milliseconds of real time. */
  readonly patience: number
}

/** How often to check whether a running clock was stopped, in milliseconds of real time. */
const CHECK_EVERY = 1_000

/**
 * Calls `onPassed` when the milliseconds have passed on the clock. As soon as nobody has advanced a manual clock for
 * `patience`, the clock moves on by itself, from one event to the next, until the caller cancels: a client that waits for
 * an answer cannot advance it.
 * @param onPassed is told whether the clock has moved on by itself
 * @returns a function that cancels the call
 */
export function startDeadline(
  { clock, control, schedule, patience }: DeadlineParts,
  milliseconds: number,
  onPassed: (byItself: boolean) => void | Promise<void>,
): () => void {
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
      await control.advanceTo(next).catch(() => {})
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

function isStill(clock: Clock, before: number): boolean {
  return clock.speed === 0 && clock.now() === before
}
