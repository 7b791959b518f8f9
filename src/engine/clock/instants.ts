/** Later instants have a year of more than four digits, which ISO 8601 and HTTP do not allow. */
export const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const EARLIEST = -62_135_596_800_000

/** Whether an instant, in epoch milliseconds, is in the years 1 to 9999: those that a clock can show. */
export function isSupportedInstant(at: number): boolean {
  return at >= EARLIEST && at <= LATEST
}

/** The nearest instant in the years 1 to 9999, which can be written. A task may end, and a URL expire, after them. */
export function writableInstant(at: number): number {
  return Math.min(Math.max(at, EARLIEST), LATEST)
}
