/** The longest wait that a receiver can request, in milliseconds: an hour. */
const LONGEST_RETRY_AFTER = 3_600_000

/** The date format of RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * The wait that a response requests with `Retry-After`: seconds, or an HTTP date. A date is compared with the `Date`
 * header of the response, because the clocks of the receiver and the simulator may differ.
 * @param headers by lower-case name
 * @param now compared with a date if the response has no `Date` header, in epoch milliseconds
 * @returns milliseconds from 0 to an hour; 0 if the header is missing or invalid
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function retryAfterOf(headers: Readonly<Record<string, string>> = {}, now: number): number {
  const value = headers['retry-after']?.trim() ?? ''
  const wait = /^\d+$/.test(value)
    ? Number(value) * 1_000
    : (readDate(value) ?? 0) - (readDate(headers['date']?.trim() ?? '') ?? now)
  return Math.min(Math.max(0, wait), LONGEST_RETRY_AFTER)
}

function readDate(text: string): number | undefined {
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
