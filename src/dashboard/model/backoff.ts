const FIRST = 400
const LONGEST = 8_000

/** The delay before the n-th attempt to reconnect, in milliseconds. */
export function backoff(failures: number): number {
  return Math.min(LONGEST, FIRST * 2 ** Math.max(0, failures - 1))
}
