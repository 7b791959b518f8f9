import { computed, signal } from '@preact/signals'
import type { RequestEntryShape } from '../../control/shapes.js'
import {
  countStatuses,
  type RequestFilter,
  requestFilterIn,
  requestTest,
} from '../model/requests/request-filter.js'
import { RequestStore } from '../model/requests/request-store.js'
import { replaceQuery, route } from './route.js'

/** The latest requests; `requestVersion` increases with each change. */
export const requestStore = new RequestStore()

export const requestVersion = signal(0)

/** Whether older requests are still loading. */
export const isLoadingRequests = signal(true)

/** The conditions in the address. */
export const requestFilter = computed(() => requestFilterIn(route.value.query))

/** Changes conditions in the address, without a new entry in the history of the browser. */
export function setRequestFilter(change: Partial<RequestFilter>): void {
  replaceQuery({ ...requestFilter.peek(), ...change })
}

/** The requests that match all conditions except the status, newest first. */
const inAnyStatus = computed(() => {
  requestVersion.value
  return requestStore.list(requestTest({ ...requestFilter.value, status: '' }))
})

/** The requests that match the filter, newest first. */
export const filteredRequests = computed(() => {
  const { status } = requestFilter.value
  return status === ''
    ? inAnyStatus.value
    : inAnyStatus.value.filter(requestTest(requestFilterIn({ status })))
})

/** The refused requests, newest first. */
export const refusedRequests = computed(() => {
  requestVersion.value
  return requestStore.refused()
})

/** The number of refused requests. Its readers render again only when it changes. */
export const refusedCount = computed(() => refusedRequests.value.length)

/** The number of requests in each class of statuses that match all other conditions. */
export const statusCounts = computed(() => countStatuses(inAnyStatus.value))

const values = computed(() => {
  requestVersion.value
  return requestStore.values
})

/** The options of the filters. Their readers render again only when the options change. */
export const requestChoices = computed(() => {
  const { operation: operations = [], dialect: dialects = [], key: keys = [] } = values.value
  return { operations, dialects, keys }
})

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
