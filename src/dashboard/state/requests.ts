import { computed } from '@preact/signals'
import { isRefused } from '../model/requests/request-filter.js'
import { createRequestStore, seenTasks } from '../model/requests/request-store.js'
import { listOf } from './list.js'

/** The latest requests. */
export const requestList = listOf(createRequestStore(), 'status')

/** All of them, newest first. */
const allRequests = computed(() => {
  requestList.version.value
  return requestList.store.list(() => true)
})

/** The refused requests, newest first. */
export const refusedRequests = computed(() => allRequests.value.filter(isRefused))

/** The number of refused requests. Its readers render again only when it changes. */
export const refusedCount = computed(() => refusedRequests.value.length)

/** The tasks that the answers named, by id. */
export const tasksInAnswers = computed(() => seenTasks(allRequests.value))
