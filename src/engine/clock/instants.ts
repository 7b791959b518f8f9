import { rememberLast } from '../recent.js'

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

/**
 * Writes an instant in ISO 8601, as `Date.toISOString` does.
 * @param at epoch milliseconds; an instant outside the years 1 to 9999 is written as the nearest one in them, and
 * undefined as undefined
 * @throws RangeError if it is not a number
 */
export function isoTime(at: number): string
export function isoTime(at: number | undefined): string | undefined
export function isoTime(at: number | undefined): string | undefined {
  if (at === undefined) return undefined
  const milliseconds = Math.trunc(writableInstant(at))
  const second = Math.floor(milliseconds / 1_000)
  return `${isoSecond(second)}${String(milliseconds - second * 1_000).padStart(3, '0')}Z`
}

/** Consecutive instants are mostly close to each other, and `Date` takes ten times as long. */
const isoSecond = rememberLast((second: number) =>
  new Date(second * 1_000).toISOString().slice(0, -'000Z'.length),
)

/**
 * Writes an instant as HTTP does, such as `Thu, 01 Jan 2026 01:00:05 GMT`.
 * @param at epoch milliseconds; the date has whole seconds, so it may be up to a second earlier. An instant outside the
 * years 1 to 9999 is written as the nearest one in them
 */
export function httpDate(at: number): string {
  return httpSecond(Math.floor(at / 1_000))
}

const httpSecond = rememberLast((second: number) => new Date(writableInstant(second * 1_000)).toUTCString())
