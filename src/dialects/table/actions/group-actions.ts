import type { Engine } from '../../../engine/tasks/engine.js'
import { newStatusCounts, type Status, type Task } from '../../../engine/tasks/task.js'
import type { ListQuery } from '../../../engine/tasks/task-store.js'
import type { FixedAction } from '../../action.js'
import type { Call } from '../../call.js'
import { replyFrom } from '../answers/reply-with.js'
import type { CancelQueuedOperation, CountOperation } from '../dialect-table.generated.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { REQUEST_VALUES, type RequestScope } from '../requests/request-values.js'
import { compileTemplate, type Values } from '../template/compile.js'

/** The values in the answer with the numbers of tasks. */
export const COUNT_VALUES = {
  queued: ({ queued }) => queued,
  processing: ({ processing }) => processing,
  succeeded: ({ succeeded }) => succeeded,
  failed: ({ failed }) => failed,
  canceled: ({ canceled }) => canceled,
} satisfies Values<StatusCounts>

interface Canceled {
  /** How many tasks were canceled. */
  readonly count: number
}

/** The values in the answer to the cancellation of queued tasks. */
export const CANCELED_VALUES = { count: ({ count }) => count } satisfies Values<Canceled>

/** Counts tasks, or cancels the queued ones, as a table describes. */
export function groupAction(
  { action, status = 200, answer, model = '' }: CountOperation | CancelQueuedOperation,
  { parameters }: OperationPlace,
  dialect: string,
): FixedAction {
  const readModel = compileTemplate<RequestScope>(model, REQUEST_VALUES)
  const queryOf = (call: Call) => ({
    owner: call.key,
    dialect,
    model: readModel({ call, body: {}, parameters })?.toString() || undefined,
  })
  if (action === 'count') {
    const read = compileTemplate<StatusCounts>(answer, COUNT_VALUES)
    return {
      operation: 'service.info',
      encode: (call) => replyFrom(status, read, countTasks(call.sim.tasks, queryOf(call))),
    }
  }
  const read = compileTemplate<Canceled>(answer, CANCELED_VALUES)
  return {
    operation: 'tasks.cancel_queued',
    encode: (call) => replyFrom(status, read, { count: cancelQueued(call.sim.tasks, queryOf(call)) }),
  }
}

/** Which tasks belong to a group. */
type GroupQuery = Pick<ListQuery, 'owner' | 'dialect' | 'model'>

/** The number of tasks in each state. */
type StatusCounts = Readonly<Record<Status, number>>

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
