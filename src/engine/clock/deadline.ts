import type { Clock } from './clock.js'
import type { Schedule } from './schedule.js'
import { startTimer } from './system-clock.js'

/** The parts that {@link startDeadline} needs. */
export interface DeadlineParts {
  readonly clock: Clock
  readonly schedule: Schedule
  /** How long to wait for someone to advance a manual clock, in milliseconds of real time. */
  readonly patience: number
}

/** How often to check whether a running clock was stopped, in milliseconds of real time. */
const CHECK_EVERY = 1_000

/**
 * Calls `onPassed` when the milliseconds have passed on the clock. On a manual clock, it does so as soon as nobody has
 * advanced the clock for `patience`, because a client that waits for an answer might never get one otherwise.
 * @returns a function that cancels the call
 */
export function startDeadline(
  { clock, schedule, patience }: DeadlineParts,
  milliseconds: number,
  onPassed: () => void,
): () => void {
  let stopWatching = () => {}
  const cancel = () => {
    job.cancel()
    stopWatching()
  }
  const pass = () => {
    cancel()
    onPassed()
  }
  const watch = () => {
    const before = clock.now()
    const wait = clock.speed === 0 ? patience : Math.max(patience, CHECK_EVERY)
    stopWatching = startTimer(wait, () => (isStill(clock, before) ? pass() : watch()), true)
  }
  const job = schedule.at(clock.now() + milliseconds, pass)
  watch()
  return cancel
}

function isStill(clock: Clock, before: number): boolean {
  return clock.speed === 0 && clock.now() === before
}
