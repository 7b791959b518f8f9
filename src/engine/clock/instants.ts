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

/** The last second that was written, since the epoch, and its text without the milliseconds. */
let second = Number.NaN
let secondText = ''

/**
 * Writes an instant in ISO 8601, as `Date.toISOString` does. It keeps the text of the last second, because consecutive
 * instants are mostly close to each other, and `Date` takes ten times as long.
 * @param at epoch milliseconds; an instant outside the years 1 to 9999 is written as the nearest one in them, and
 * undefined as undefined
 * @throws RangeError if it is not a number
 */
export function isoTime(at: number): string
export function isoTime(at: number | undefined): string | undefined
export function isoTime(at: number | undefined): string | undefined {
  if (at === undefined) return undefined
  const milliseconds = Math.trunc(writableInstant(at))
  const current = Math.floor(milliseconds / 1_000)
  if (current !== second) {
    secondText = new Date(current * 1_000).toISOString().slice(0, -'000Z'.length)
    second = current
  }
  return `${secondText}${String(milliseconds - current * 1_000).padStart(3, '0')}Z`
}

/** The last second that was written as HTTP does, since the epoch, and its text. */
let lastDate = { second: Number.NaN, text: '' }

/**
 * Writes an instant as HTTP does, such as `Thu, 01 Jan 2026 01:00:05 GMT`. Requests of the same second share the text.
 * @param at epoch milliseconds; the date has whole seconds, so it may be up to a second earlier. An instant outside the
 * years 1 to 9999 is written as the nearest one in them
 */
export function httpDate(at: number): string {
  const second = Math.floor(at / 1_000)
  if (lastDate.second !== second)
    lastDate = { second, text: new Date(writableInstant(second * 1_000)).toUTCString() }
  return lastDate.text
}
