let last = { second: Number.NaN, text: '' }

/**
 * Writes an instant as HTTP does, such as `Thu, 01 Jan 2026 01:00:05 GMT`. Requests of the same second share the text.
 * @param at epoch milliseconds; the date has whole seconds, so it may be up to a second earlier
 */
export function httpDate(at: number): string {
  const second = Math.floor(at / 1_000)
  if (last.second !== second) last = { second, text: new Date(second * 1_000).toUTCString() }
  return last.text
}
