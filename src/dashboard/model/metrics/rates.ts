import { isRefused } from '../requests/request-brief.js'

/** A response with its time, in milliseconds of a monotonic clock. */
export interface TimedStatus {
  readonly at: number
  readonly status: number
  readonly delivered: boolean
}

/** The number of responses and of errors in each second, oldest first. */
export function perSecond(
  responses: readonly TimedStatus[],
  now: number,
  seconds: number,
): { total: number; failed: number }[] {
  const buckets = Array.from({ length: seconds }, () => ({ total: 0, failed: 0 }))
  for (let index = responses.length - 1; index >= 0; index--) {
    const response = responses[index] as TimedStatus
    const age = Math.floor((now - response.at) / 1_000)
    if (age >= seconds) break
    const bucket = buckets[seconds - 1 - Math.max(0, age)]
    if (bucket === undefined) continue
    bucket.total += 1
    if (isRefused(response)) bucket.failed += 1
  }
  return buckets
}
