import type { Call } from '../../../dialects/call.js'
import { replyFrom } from '../../../dialects/table/answers/task-answer.js'
import type {
  CancelQueuedOperation,
  CountOperation,
} from '../../../dialects/table/dialect-table.generated.js'
import {
  CANCELED_VALUES,
  type Canceled,
  COUNT_VALUES,
  type StatusCounts,
} from '../../../dialects/table/operation-values.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import { requestReader } from '../../../dialects/table/requests/request-values.js'
import { compileTemplate } from '../../../dialects/table/template/compile.js'
import type { Engine } from '../../../engine/tasks/engine.js'
import { newStatusCounts, type Task } from '../../../engine/tasks/task.js'
import type { ListQuery } from '../../../engine/tasks/task-store.js'
import type { ServiceHandler } from '../../operation.js'

/** Answers with the numbers of tasks in each state. */
export function countOfTasks(
  group: CountOperation | CancelQueuedOperation,
  endpoint: Endpoint,
): ServiceHandler {
  const queryOf = queryReader(group, endpoint)
  const read = compileTemplate<StatusCounts>(group.answer, COUNT_VALUES)
  return (exchange) => replyFrom(group.status ?? 200, read, countTasks(exchange.sim.tasks, queryOf(exchange)))
}

/** Cancels the queued tasks. */
export function cancelQueuedTasks(
  group: CountOperation | CancelQueuedOperation,
  endpoint: Endpoint,
): ServiceHandler {
  const queryOf = queryReader(group, endpoint)
  const read = compileTemplate<Canceled>(group.answer, CANCELED_VALUES)
  return (exchange) => {
    const count = cancelQueued(exchange.sim.tasks, queryOf(exchange))
    return replyFrom(group.status ?? 200, read, { count })
  }
}

/** Which tasks belong to a group. */
type GroupQuery = Pick<ListQuery, 'owner' | 'dialect' | 'model'>

function queryReader(
  { model = '' }: CountOperation | CancelQueuedOperation,
  endpoint: Endpoint,
): (call: Call) => GroupQuery {
  const readModel = requestReader(model, endpoint)
  return (call) => ({
    owner: call.key,
    dialect: endpoint.table.name,
    model: readModel(call)?.toString() || undefined,
  })
}

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
