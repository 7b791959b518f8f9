import { computed, signal } from '@preact/signals'
import {
  countTaskStates,
  type TaskFilter,
  TaskStore,
  taskFilterIn,
  taskTest,
} from '../model/tasks/task-store.js'
import { linkTo, replaceQuery, route } from './route.js'

/** The known tasks; `taskVersion` increases with each change. */
export const taskStore = new TaskStore()
export const taskVersion = signal(0)

/** Whether older tasks are still loading. */
export const isLoadingTasks = signal(true)

/** The conditions in the address as text, which stays the same when another part of the address changes. */
const conditions = computed(() => JSON.stringify(taskFilterIn(route.value.query)))

/** The conditions in the address. */
export const taskFilter = computed((): TaskFilter => JSON.parse(conditions.value))

/** Changes conditions in the address, without a new entry in the history of the browser. */
export function setTaskFilter(change: Partial<TaskFilter>): void {
  replaceQuery({ ...route.peek().query, ...change })
}

/** The link to a task or, without one, to the list, with the current filter. */
export function taskLink(id: string | undefined, more: Readonly<Record<string, string>> = {}): string {
  return linkTo({ view: 'tasks', id, query: { ...taskFilter.value, ...more } })
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
  return taskStore.list(taskTest({ ...taskFilter.value, status: '' }))
})

/** The tasks that match the filter, newest first. */
export const filteredTasks = computed(() => {
  const { status } = taskFilter.value
  return status === '' ? inAnyState.value : inAnyState.value.filter(taskTest(taskFilterIn({ status })))
})

/** The number of tasks in each state that match all conditions of the filter except the state. */
export const taskStateCounts = computed(() => countTaskStates(inAnyState.value))

const values = computed(() => {
  taskVersion.value
  return taskStore.values
})

/**
 * The options of the filters: the kinds, models, dialects and keys of all known tasks. Their readers render again only
 * when the options change.
 */
export const taskChoices = computed(() => {
  const { kind: kinds = [], model: models = [], dialect: dialects = [], key: keys = [] } = values.value
  return { kinds, models, dialects, keys }
})
