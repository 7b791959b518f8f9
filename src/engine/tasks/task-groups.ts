import type { Engine } from './engine.js'
import type { ListQuery } from './list-query.js'
import { newStatusCounts, type Status, type Task } from './task.js'

/** Which tasks belong to a group. */
export type GroupQuery = Pick<ListQuery, 'owner' | 'dialect' | 'model'>

/** The number of tasks in each state. */
export type StatusCounts = Readonly<Record<Status, number>>

type Listing = Pick<Engine, 'list'>

/** The number of tasks of a page. */
const PAGE = 1_000

/** Counts tasks by their state. */
export function countTasks(tasks: Listing, query: GroupQuery): StatusCounts {
  const counts = newStatusCounts()
  for (const { status } of allTasks(tasks, query)) counts[status] += 1
  return counts
}

/**
 * Cancels the queued tasks of a group.
 * @returns how many were canceled
 */
export function cancelQueued(tasks: Listing & Pick<Engine, 'cancel'>, query: GroupQuery): number {
  const queued = [...allTasks(tasks, { ...query, status: 'queued' })]
  return queued.filter(({ id }) => tasks.cancel(id) !== undefined).length
}

function* allTasks(tasks: Listing, query: Omit<ListQuery, 'limit'>): Generator<Task> {
  let after: string | undefined
  do {
    const page = tasks.list({ ...query, after, limit: PAGE })
    yield* page?.tasks ?? []
    after = page?.hasMore ? page.tasks.at(-1)?.id : undefined
  } while (after !== undefined)
}
