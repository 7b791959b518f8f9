import { isJsonObject, type JsonValue } from '../../engine/json.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import type { ServiceExchange } from '../operation.js'
import { viewOf } from '../recorded-answer.js'

/** Replaces the tasks on a page with what a real service showed of those that they repeat. */
export function withRecordedItems(reply: Reply, items: readonly Task[], exchange: ServiceExchange): Reply {
  const { list } = exchange.dialect.answers
  const page: JsonValue = typeof reply.body === 'string' ? JSON.parse(reply.body) : null
  const shown = isJsonObject(page) ? page[list] : undefined
  if (!isJsonObject(page) || !Array.isArray(shown) || shown.length !== items.length) return reply
  const replaced = shown.map((item, index) => recordedItem(items[index], exchange) ?? item)
  return { ...reply, body: JSON.stringify({ ...page, [list]: replaced }) }
}

function recordedItem(task: Task | undefined, exchange: ServiceExchange): JsonValue | undefined {
  const text = task?.plan.recorded?.listItem(viewOf(task, exchange, exchange.dialect))
  return text === undefined ? undefined : JSON.parse(text)
}
