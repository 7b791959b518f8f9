import type { Call } from '../../dialects/call.js'
import type { CreateOperation } from '../../dialects/table/dialect-table.generated.js'
import type { OperationPlace } from '../../dialects/table/requests/operation-place.js'
import { conditionReader } from '../../dialects/table/requests/request-values.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import type { ServiceExchange } from '../operation.js'

/**
 * Returns a function that says whether the answer about a task is its first output file.
 * @returns undefined if no answer is a file
 */
export function fileCondition(
  { gives, gives_if: givesIf }: Pick<CreateOperation, 'gives' | 'gives_if'>,
  place: OperationPlace,
): ((task: Task, call: Call) => boolean) | undefined {
  if (gives === undefined) return undefined
  const isAsked = givesIf === undefined ? () => true : conditionReader(givesIf, place)
  return (task, call) => task.status === 'succeeded' && isAsked(call)
}

/** Answers with the first output file of a task. */
export async function fileOf(task: Task, exchange: ServiceExchange, place: OperationPlace): Promise<Reply> {
  const { firstFile } = await import('./lazy/own-file.js')
  return firstFile(task, exchange, place)
}
