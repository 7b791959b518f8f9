import { computed, signal } from '@preact/signals'
import type { EntryShape, FindingShape, StateShape } from '../../control/shapes.js'
import { filterTest, NO_FILTER, type TaskFilter } from '../model/filters.js'
import { TaskBook } from '../model/task-book.js'
import { controlOf } from '../server/control.js'
import { sandbox } from './place.js'

/** How the page stands with the server. */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked'

export const connection = signal<Connection>('connecting')

/** When the next try to get back is due, by `performance.now()`. */
export const retryAt = signal(0)

/** The control API of what is looked at. */
export const control = computed(() => controlOf(sandbox.value))

export const simulator = signal<StateShape | undefined>(undefined)
export const findings = signal<readonly FindingShape[] | undefined>(undefined)

/** Everything that is known of tasks; `taskVersion` says when it has changed. */
export const book = new TaskBook()
export const taskVersion = signal(0)

/** Whether older tasks are still being fetched. */
export const isLoading = signal(true)

export const filter = signal<TaskFilter>(NO_FILTER)

/** The tasks that the filter lets through, newest first. */
export const shownTasks = computed(() => {
  taskVersion.value
  return book.list(filterTest(filter.value))
})

/** The values to choose a filter from: all models and keys that were seen. */
export const choices = computed(() => {
  taskVersion.value
  const [models, keys] = [new Set<string>(), new Set<string>()]
  for (const { model, key } of book.list(() => true)) {
    models.add(model)
    keys.add(key)
  }
  return { models: [...models].sort(), keys: [...keys].sort() }
})

/** Counts up when a delivery, a receiver or the scenario has changed. */
export const deliveryVersion = signal(0)
export const scenarioVersion = signal(0)

/** The newest line of the journal that was about a task, by its id. */
export const touched = signal<{ readonly tasks: ReadonlySet<string>; readonly all: boolean }>({
  tasks: new Set(),
  all: false,
})

/** A request as the charts need it; `at` is when the page heard of it, by `performance.now()`. */
export interface SeenRequest {
  readonly at: number
  readonly status: number
  readonly took: number
}

const MOST_REQUESTS = 20_000
/** Not a signal: the charts look at it once a second. */
export const seenRequests: SeenRequest[] = []

export function seeRequest({ status, took_ms: took }: Extract<EntryShape, { type: 'request' }>): void {
  seenRequests.push({ at: performance.now(), status, took })
  if (seenRequests.length > MOST_REQUESTS) seenRequests.splice(0, MOST_REQUESTS / 2)
}
