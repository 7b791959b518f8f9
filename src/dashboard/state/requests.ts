import { computed } from '@preact/signals'
import type { RequestEntryShape } from '../../control/shapes.js'
import { isRefused } from '../model/requests/request-filter.js'
import { RequestStore } from '../model/requests/request-store.js'
import { listOf } from './list.js'

/** The latest requests. */
export const requestStore = new RequestStore()

/** The requests of the page. */
export const requestList = listOf(requestStore, 'status')

/** The refused requests, newest first. */
export const refusedRequests = computed(() => {
  requestList.version.value
  return requestStore.list(isRefused)
})

/** The number of refused requests. Its readers render again only when it changes. */
export const refusedCount = computed(() => refusedRequests.value.length)

/** A request for the charts; `at` is the time of its arrival at the page, by `performance.now()`. */
interface RecentRequest {
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
