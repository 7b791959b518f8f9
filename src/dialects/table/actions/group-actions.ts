import { cancelQueued, countTasks, type StatusCounts } from '../../../engine/tasks/task-groups.js'
import type { FixedAction } from '../../action.js'
import type { Call } from '../../call.js'
import { replyFrom } from '../answers/reply-with.js'
import type { GroupTable } from '../model/operation-table.js'
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
  { action, status = 200, answer, model = '' }: GroupTable,
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
