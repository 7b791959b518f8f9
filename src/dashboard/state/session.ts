import { computed, signal } from '@preact/signals'
import type { EntryShape, FindingShape, StateShape } from '../../control/shapes.js'
import { countStates, filterTest, type TaskFilter, taskFilterIn } from '../model/filters.js'
import { titlesByTask } from '../model/task-findings.js'
import { TaskStore } from '../model/task-store.js'
import type { Unchecked } from '../model/unchecked.js'
import { controlOf } from '../server/control.js'
import { linkTo, replaceQuery, route, sandbox } from './route.js'

/** The state of the connection to the server. */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked'

export const connection = signal<Connection>('connecting')

/** The time of the next attempt to reconnect, by `performance.now()`. */
export const retryAt = signal(0)

/** The control API of the selected simulator. */
export const control = computed(() => controlOf(sandbox.value))

export const simulator = signal<StateShape | undefined>(undefined)
/** The real service that the server records; undefined if it simulates one. */
export const recording = computed(() => simulator.value?.recording)
export const findings = signal<readonly FindingShape[] | undefined>(undefined)
/** The titles of the findings about each task. */
export const findingTitles = computed(() => titlesByTask(findings.value ?? []))
/** Why rules do not apply, with the ids of these rules. */
export const notApplicable = signal<readonly Unchecked[]>([])

/** The known tasks; `taskVersion` increases with each change. */
export const taskStore = new TaskStore()
export const taskVersion = signal(0)

/** Whether older tasks are still loading. */
export const isLoading = signal(true)

/** The conditions in the address as text, which stays the same when another part of the address changes. */
const conditions = computed(() => JSON.stringify(taskFilterIn(route.value.query)))

/** The conditions in the address. */
export const filter = computed((): TaskFilter => JSON.parse(conditions.value))

/** Changes conditions in the address, without a new entry in the history of the browser. */
export function setTaskFilter(change: Partial<TaskFilter>): void {
  replaceQuery({ ...route.peek().query, ...change })
}

/** The link to a task or, without one, to the list, with the current filter. */
export function taskLink(id: string | undefined, more: Readonly<Record<string, string>> = {}): string {
  return linkTo({ view: 'tasks', id, query: { ...filter.value, ...more } })
}

/** The status of the open task; undefined if no known task is open. */
export const openTaskStatus = computed(() => {
  taskVersion.value
  const { view, id = '' } = route.value
  return view === 'tasks' ? taskStore.get(id)?.status : undefined
})

/** The tasks that match all conditions of the filter except the state, newest first. */
const inAnyState = computed(() => {
  taskVersion.value
  return taskStore.list(filterTest({ ...filter.value, status: '' }))
})

/** The tasks that match the filter, newest first. */
export const filteredTasks = computed(() => {
  const { status } = filter.value
  return status === '' ? inAnyState.value : inAnyState.value.filter(filterTest(taskFilterIn({ status })))
})

/** The number of tasks in each state that match all conditions of the filter except the state. */
export const stateCounts = computed(() => countStates(inAnyState.value))

const values = computed(() => {
  taskVersion.value
  return taskStore.values
})

/**
 * The options of the filters: the kinds, models, dialects and keys of all known tasks. Their readers render again only
 * when the options change.
 */
export const choices = computed(() => {
  const { kind: kinds = [], model: models = [], dialect: dialects = [], key: keys = [] } = values.value
  return { kinds, models, dialects, keys }
})

/** These increase when a delivery, a receiver or the scenario changes. */
export const deliveryVersion = signal(0)
export const scenarioVersion = signal(0)

/** Increases when the page loads everything anew, as after a reset or a restart of the server. */
export const loadVersion = signal(0)

/** The ids of the tasks in the latest journal entries; `all` if any task may have changed. */
export const lastChange = signal<{ readonly tasks: ReadonlySet<string>; readonly all: boolean }>({
  tasks: new Set(),
  all: false,
})

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

export function recordRequest({
  status,
  delivered,
  took_ms: took,
}: Extract<EntryShape, { type: 'request' }>): void {
  recentRequests.push({ at: performance.now(), status, delivered, took })
  if (recentRequests.length > MAX_REQUESTS) recentRequests.splice(0, MAX_REQUESTS / 2)
}
