import type { Call } from '../../dialects/call.js'
import type { CreateOperation } from '../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../dialects/table/requests/endpoint.js'
import { conditionReader } from '../../dialects/table/requests/request-values.js'
import { type Awaitable, after } from '../../engine/awaitable.js'
import { Lazy } from '../../engine/lazy.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import type { ServiceExchange } from '../operation.js'

/** The first output file of a task in place of its fields. */
interface GivenFile {
  /** Whether the answer about a task is its file. */
  isFor(task: Task, call: Call): boolean
  answer(task: Task, exchange: ServiceExchange): Awaitable<Reply>
}

/** The file that an operation gives; undefined if it never gives one. */
export function givenFile(
  { gives, gives_if: givesIf }: Pick<CreateOperation, 'gives' | 'gives_if'>,
  endpoint: Endpoint,
): GivenFile | undefined {
  if (gives === undefined) return undefined
  const isAsked = givesIf === undefined ? () => true : conditionReader(givesIf, endpoint)
  const file = new Lazy(async () => (await import('./lazy/own-file.js')).firstFile(endpoint))
  return {
    isFor: (task, call) => task.status === 'succeeded' && isAsked(call),
    answer: (task, exchange) => after(file.get(), (answerWith) => answerWith(task, exchange)),
  }
}
