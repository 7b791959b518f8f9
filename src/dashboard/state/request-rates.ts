import type { RequestEntryShape } from '../../control/shapes.js'

/** A request for the charts; `at` is the time of its arrival at the page, by `performance.now()`. */
export interface RecentRequest {
  readonly at: number
  readonly status: number
  /** Whether the client got the whole response. */
  readonly delivered: boolean
  readonly took: number
}

const MAX_REQUESTS = 20_000
/** Not a signal, because the charts read it once a second. */
export const recentRequests: RecentRequest[] = []

/** Forgets the requests of the charts, as after a reset. */
export function forgetRates(): void {
  recentRequests.length = 0
}

export function recordRequest({ status, delivered, took_ms: took }: RequestEntryShape): void {
  recentRequests.push({ at: performance.now(), status, delivered, took })
  if (recentRequests.length > MAX_REQUESTS) recentRequests.splice(0, MAX_REQUESTS / 2)
}
