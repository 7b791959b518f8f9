/**
 * The only file of a simulation that reads the machine's time or sets a timer. The command line, the test runner's
 * fixture and the page also measure time themselves. It looks up the global functions at each call, so that a test
 * runner's fake timers take effect.
 */

import type { Clock } from './clock.js'

// In milliseconds. A longer timer fires at once.
const LONGEST_TIMER = 2 ** 31 - 1

/** The machine's wall clock, in epoch milliseconds. It may jump forward or back. */
export function systemNow(): number {
  return Date.now()
}

/** The machine's steady clock, in milliseconds, to measure durations. */
export function stopwatch(): number {
  return performance.now()
}

/**
 * Calls `wake` after `milliseconds`, but at most 2^31 - 1 of them.
 * @param keepsAlive whether the timer keeps the process running
 * @returns a function that cancels the timer
 */
export function startTimer(milliseconds: number, wake: () => void, keepsAlive = false): () => void {
  const timer: unknown = setTimeout(wake, Math.min(Math.max(0, milliseconds), LONGEST_TIMER))
  if (typeof timer === 'object' && !keepsAlive) (timer as { unref?: () => void }).unref?.()
  return () => clearTimeout(timer as number)
}

/**
 * The time on the clock of a client, in epoch milliseconds: that of the machine, because the client measures its waits
 * and the age of signatures with that; on a manual clock, the time of the simulator.
 */
export function clientNow(clock: Pick<Clock, 'speed' | 'now'>): number {
  return clock.speed === 0 ? clock.now() : systemNow()
}
