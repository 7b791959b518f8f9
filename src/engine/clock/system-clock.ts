/**
 * The only file that reads the machine's time or sets a timer. Both are looked up when called, so a test
 * runner's fake timers take effect.
 */

// Beyond this, setTimeout fires at once.
const LONGEST_TIMER = 2 ** 31 - 1

/** The machine's wall clock, in epoch milliseconds. It may jump, in both directions. */
export function systemNow(): number {
  return Date.now()
}

/** A reading of the machine's steady clock, in milliseconds, for measuring how long something took. */
export function stopwatch(): number {
  return performance.now()
}

/**
 * Calls `wake` after at least `milliseconds`, or earlier where the wait is longer than a timer can be.
 * @param keepsAlive whether the process must not end before; somebody waits for it then
 * @returns a function that takes the timer back
 */
export function startTimer(milliseconds: number, wake: () => void, keepsAlive = false): () => void {
  const timer: unknown = setTimeout(wake, Math.min(Math.max(0, milliseconds), LONGEST_TIMER))
  if (typeof timer === 'object' && !keepsAlive) (timer as { unref?: () => void }).unref?.()
  return () => clearTimeout(timer as number)
}
