/**
 * The only file that reads the machine's time or sets a timer. It looks both up at each call, so that a test runner's
 * fake timers take effect.
 */

// A longer setTimeout fires at once.
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
 * Calls `wake` after `milliseconds`, or after 2^31 - 1 of them if that is less.
 * @param keepsAlive whether the timer keeps the process running
 * @returns a function that cancels the timer
 */
export function startTimer(milliseconds: number, wake: () => void, keepsAlive = false): () => void {
  const timer: unknown = setTimeout(wake, Math.min(Math.max(0, milliseconds), LONGEST_TIMER))
  if (typeof timer === 'object' && !keepsAlive) (timer as { unref?: () => void }).unref?.()
  return () => clearTimeout(timer as number)
}
