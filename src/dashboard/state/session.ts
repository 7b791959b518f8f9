import { computed, signal } from '@preact/signals'
import type { EntryShape, FindingShape, StateShape } from '../../control/shapes.js'
import { filterTest, NO_FILTER, type TaskFilter } from '../model/filters.js'
import { TaskStore } from '../model/task-store.js'
import { controlOf } from '../server/control.js'
import { sandbox } from './route.js'

/** The state of the connection to the server. */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked'

export const connection = signal<Connection>('connecting')

/** The time of the next attempt to reconnect, by `performance.now()`. */
export const retryAt = signal(0)

/** The control API of the selected simulator. */
export const control = computed(() => controlOf(sandbox.value))

export const simulator = signal<StateShape | undefined>(undefined)
export const findings = signal<readonly FindingShape[] | undefined>(undefined)

/** The known tasks; `taskVersion` increases with each change. */
export const taskStore = new TaskStore()
export const taskVersion = signal(0)

/** Whether older tasks are still loading. */
export const isLoading = signal(true)

export const filter = signal<TaskFilter>(NO_FILTER)

/** The tasks that match the filter, newest first. */
export const filteredTasks = computed(() => {
  taskVersion.value
  return taskStore.list(filterTest(filter.value))
})

/** The options of the filters: the kinds, models, dialects and keys of all known tasks. */
export const choices = computed(() => {
  taskVersion.value
  const all = taskStore.list(() => true)
  const distinct = (field: 'kind' | 'model' | 'dialect' | 'key') =>
    [...new Set(all.map((task) => task[field]))].sort()
  return {
    kinds: distinct('kind'),
    models: distinct('model'),
    dialects: distinct('dialect'),
    keys: distinct('key'),
  }
})

/** These increase when a delivery, a receiver or the scenario changes. */
export const deliveryVersion = signal(0)
export const scenarioVersion = signal(0)

/** The ids of the tasks in the latest journal entries; `all` if any task may have changed. */
export const lastChange = signal<{ readonly tasks: ReadonlySet<string>; readonly all: boolean }>({
  tasks: new Set(),
  all: false,
})

/** A request for the charts; `at` is the time of its arrival at the page, by `performance.now()`. */
export interface RecentRequest {
  readonly at: number
  readonly status: number
  readonly took: number
}

const MAX_REQUESTS = 20_000
/** Not a signal, because the charts read it once a second. */
export const recentRequests: RecentRequest[] = []

export function recordRequest({ status, took_ms: took }: Extract<EntryShape, { type: 'request' }>): void {
  recentRequests.push({ at: performance.now(), status, took })
  if (recentRequests.length > MAX_REQUESTS) recentRequests.splice(0, MAX_REQUESTS / 2)
}
