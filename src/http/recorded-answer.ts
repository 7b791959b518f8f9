import type { Call } from '../dialects/call.js'
import type { Dialect } from '../dialects/dialect.js'
import { baseForClient } from '../dialects/table/requests/endpoint.js'
import { isJsonObject, type JsonValue } from '../engine/json.js'
import { settableHeaders } from '../engine/requests/headers.js'
import type { OperationName } from '../engine/requests/operations.js'
import type { RecordedRejection, RecordedView, ShownAnswer } from '../engine/tasks/recorded-answers.js'
import type { Task } from '../engine/tasks/task.js'
import type { Reply } from '../exchange/exchange.js'
import type { ServiceExchange } from './operation.js'

/** The recorded answer to a request about a task; undefined if the task repeats none, or no such answer was recorded. */
export function recordedAnswer(task: Task, exchange: ServiceExchange): Reply | undefined {
  const { operation, route, dialect } = exchange
  return recordedAnswerTo(operation.id, route?.path ?? '', task, exchange, dialect)
}

/**
 * The recorded answer to a call of an operation.
 * @param route the path of the operation in the dialect
 */
export function recordedAnswerTo(
  operation: OperationName,
  route: string,
  task: Task,
  call: Call,
  dialect: Dialect,
): Reply | undefined {
  const shown = task.plan.recorded?.answer(operation, route, viewOf(task, call, dialect))
  return shown && replyOf(shown)
}

/** The answer to a create request that the real service has rejected. */
export function recordedRejection({ answer }: RecordedRejection, exchange: ServiceExchange): Reply {
  return replyOf(answer(exchange.sim.clock.now(), (path) => baseOf(path, exchange, exchange.dialect)))
}

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

function replyOf({ code, headers, text }: ShownAnswer): Reply {
  return { status: code, headers: settableHeaders(headers), body: text }
}

/** How the client of a call sees a task. */
export function viewOf(task: Task, call: Call, dialect: Dialect): RecordedView {
  const { sim, request } = call
  const now = sim.clock.now()
  const origin = sim.publicOrigin(request.origin)
  return {
    task,
    now,
    baseOf: (path) => baseOf(path, call, dialect),
    urlOf: (file) => sim.outputs.urlOf(task, file, origin, now),
  }
}

/** The URL at which a client reaches a host of the service. In process, it is that of the service itself. */
function baseOf(path: string, call: Call, { name, hosts, table }: Dialect): string {
  const { sim, request } = call
  const base = baseForClient(call, Object.entries(table.base_for ?? {}))
  if (base !== undefined) return base + path
  if (hosts.some(({ origin }) => origin === request.origin))
    return hosts.find((host) => host.path === path)?.origin ?? request.origin
  const mount = request.path.startsWith(`/${name}/`) ? `/${name}` : ''
  return sim.publicOrigin(request.origin) + mount + path
}
