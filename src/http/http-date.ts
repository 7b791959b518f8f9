import { writableInstant } from '../engine/clock/instants.js'

let last = { second: Number.NaN, text: '' }

/**
 * Writes an instant as HTTP does, such as `Thu, 01 Jan 2026 01:00:05 GMT`. Requests of the same second share the text.
 * @param at epoch milliseconds; the date has whole seconds, so it may be up to a second earlier. An instant outside the
 * years 1 to 9999 is written as the nearest one in them
 */
export function httpDate(at: number): string {
  const second = Math.floor(writableInstant(at) / 1_000)
  if (last.second !== second) last = { second, text: new Date(second * 1_000).toUTCString() }
  return last.text
}
