import type { CreateOperation } from '../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../dialects/table/requests/endpoint.js'
import { conditionReader } from '../../dialects/table/requests/request-values.js'
import { type Awaitable, after } from '../../engine/awaitable.js'
import { Lazy } from '../../engine/lazy.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import type { ServiceExchange } from '../operation.js'

/**
 * Returns a function that answers with the first output file of a task, if the request gets that in place of the task.
 * @returns undefined if no answer is a file
 */
export function givenFile(
  { gives, gives_if: givesIf }: Pick<CreateOperation, 'gives' | 'gives_if'>,
  endpoint: Endpoint,
): ((task: Task, exchange: ServiceExchange) => Awaitable<Reply> | undefined) | undefined {
  if (gives === undefined) return undefined
  const isAsked = givesIf === undefined ? () => true : conditionReader(givesIf, endpoint)
  const file = new Lazy(async () => (await import('./lazy/own-file.js')).firstFile(endpoint))
  return (task, exchange) => {
    if (task.status !== 'succeeded' || !isAsked(exchange)) return undefined
    return after(file.get(), (answerWith) => answerWith(task, exchange))
  }
}
