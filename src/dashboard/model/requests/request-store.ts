import { ItemStore } from '../item-store.js'
import { isRefused, REQUEST_FILTER, type RequestBrief } from './request-filter.js'

/** A store for the latest requests, as many as the journal of the server keeps. */
export function createRequestStore() {
  return new ItemStore({
    filter: REQUEST_FILTER,
    choices: ['operation', 'dialect', 'key'],
    rankOf: ({ number }) => number,
    most: 10_000,
  })
}

/** What the known requests say about a task. */
export interface SeenTask {
  /** The number of the request that created it. */
  readonly creation?: number
  /** When an answer last showed it, in ISO 8601. */
  readonly shown?: string
}

/** The operations whose answers have the URLs of a task. */
const SHOWS_TASK = ['tasks.retrieve', 'tasks.result']

/** The tasks that answers named, by id. */
export function seenTasks(newestFirst: readonly RequestBrief[]): ReadonlyMap<string, SeenTask> {
  const seen = new Map<string, SeenTask>()
  for (const request of newestFirst) {
    const { task_id: task, operation = '', number: creation, at: shown } = request
    if (task === undefined || isRefused(request)) continue
    const known = seen.get(task)
    if (operation === 'tasks.create') seen.set(task, { ...known, creation })
    else if (known?.shown === undefined && SHOWS_TASK.includes(operation)) seen.set(task, { ...known, shown })
  }
  return seen
}
