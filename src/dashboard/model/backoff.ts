const FIRST = 400
const LONGEST = 8_000

/** How long to wait before the n-th try to get back to a server, in milliseconds. */
export function backoff(failures: number): number {
  return Math.min(LONGEST, FIRST * 2 ** Math.max(0, failures - 1))
}
