import type { DeliveryState } from './delivery.js'

/** The state of a delivery after an attempt; `wait` is the time until the next attempt, in milliseconds. */
export type RetryDecision =
  | { readonly state: Extract<DeliveryState, 'delivered' | 'given_up'>; readonly wait?: undefined }
  | { readonly state: Extract<DeliveryState, 'pending'>; readonly wait: number }

/** The status with which a receiver unsubscribes permanently. */
export const GONE = 410

/**
 * Decides whether to attempt a delivery again. Any 2xx is a success; a redirect is a failure like any other.
 * @param status the status of the response, or undefined if there was none
 * @param attempts the number of attempts so far
 * @param retries the waits before each further attempt, in milliseconds
 * @param limits `minWait`: the shortest wait that the receiver asks for, in milliseconds; `stopsOn4xx`: whether a 4xx
 * ends the retries
 */
export function decideRetry(
  status: number | undefined,
  attempts: number,
  retries: readonly number[],
  { minWait = 0, stopsOn4xx = false }: { readonly minWait?: number; readonly stopsOn4xx?: boolean } = {},
): RetryDecision {
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' }
  const isFinal = status === GONE || (stopsOn4xx && status !== undefined && status >= 400 && status < 500)
  const wait = isFinal ? undefined : retries[attempts - 1]
  return wait === undefined ? { state: 'given_up' } : { state: 'pending', wait: Math.max(wait, minWait) }
}

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
