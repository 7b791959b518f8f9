import type { Engine } from './engine.js'
import type { ListQuery } from './store.js'
import { STATUSES, type Status, type Task } from './task.js'

/** Which tasks belong to a group. */
export type GroupQuery = Pick<ListQuery, 'owner' | 'dialect' | 'model'>

/** The number of tasks in each state. */
export type StatusCounts = Readonly<Record<Status, number>>

type Listing = Pick<Engine, 'list'>

/** How many tasks to ask a store for at once. */
const PAGE = 1_000

/** Counts tasks by their state. */
export async function countTasks(tasks: Listing, query: GroupQuery): Promise<StatusCounts> {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>
  for await (const { status } of allTasks(tasks, query)) counts[status] += 1
  return counts
}

/**
 * Cancels the queued tasks of a group.
 * @returns how many were canceled
 */
export async function cancelQueued(
  tasks: Listing & Pick<Engine, 'cancel'>,
  query: GroupQuery,
): Promise<number> {
  const queued: string[] = []
  for await (const { id } of allTasks(tasks, { ...query, status: 'queued' })) queued.push(id)
  const canceled = await Promise.all(queued.map((id) => tasks.cancel(id)))
  return canceled.filter((task) => task !== undefined).length
}

async function* allTasks(tasks: Listing, query: Omit<ListQuery, 'limit'>): AsyncGenerator<Task> {
  let after: string | undefined
  do {
    const page = await tasks.list({ ...query, after, limit: PAGE })
    yield* page?.tasks ?? []
    after = page?.hasMore ? page.tasks.at(-1)?.id : undefined
  } while (after !== undefined)
}
