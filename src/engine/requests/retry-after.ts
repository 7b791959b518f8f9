import { httpDate } from '../clock/instants.js'

/**
 * Writes the header with which a response asks its client to wait.
 * @param wait milliseconds, written as whole seconds; or those until a date, which is written as such
 * @param now the time on the clock of the client, in epoch milliseconds; only a date needs it
 */
export function retryAfter(
  wait: number | { readonly date: number },
  now = Number.NaN,
): { readonly 'retry-after': string } {
  if (typeof wait === 'number') return { 'retry-after': String(Math.ceil(wait / 1_000)) }
  // A date has whole seconds. Rounding down would let the client retry too early.
  return { 'retry-after': httpDate(Math.ceil((now + wait.date) / 1_000) * 1_000) }
}

/** The date format of RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Reads the wait that a response asks for with `Retry-After`: seconds, or an HTTP date. A date is compared with the
 * `Date` header of the response, because the clocks of the two sides may differ.
 * @param headers by lower-case name
 * @param now compared with a date if the response has no `Date` header, in epoch milliseconds
 * @returns milliseconds, 0 if the date has passed; undefined if the header is missing or invalid
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim()
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const wait = readDate(value) - (readDate(headers['date']?.trim()) || now)
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** @returns NaN if the text is not an HTTP date */
function readDate(text = ''): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
}
