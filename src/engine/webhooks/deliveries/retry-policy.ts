import { readRetryAfter } from '../../requests/retry-after.js'
import { isSuccess } from '../../requests/statuses.js'
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
  if (isSuccess(status)) return { state: 'delivered' }
  const isFinal = status === GONE || (stopsOn4xx && status !== undefined && status >= 400 && status < 500)
  const wait = isFinal ? undefined : retries[attempts - 1]
  return wait === undefined ? { state: 'given_up' } : { state: 'pending', wait: Math.max(wait, minWait) }
}

/** The longest wait that a receiver can request, in milliseconds: an hour. */
const LONGEST_RETRY_AFTER = 3_600_000

/**
 * The wait that a response requests with `Retry-After`.
 * @param headers by lower-case name
 * @param now compared with a date if the response has no `Date` header, in epoch milliseconds
 * @returns milliseconds from 0 to an hour; 0 if the header is missing or invalid
 */
export function retryAfterOf(headers: Readonly<Record<string, string>> = {}, now: number): number {
  return Math.min(readRetryAfter(headers, now) ?? 0, LONGEST_RETRY_AFTER)
}
