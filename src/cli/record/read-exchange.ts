import type { Dialect } from '../../dialects/dialect.js'
import { isJsonObject, type JsonValue } from '../../engine/json.js'
import { answeredTask, answeredTasks } from '../../engine/tasks/answered-task.js'
import type { Status } from '../../engine/tasks/task.js'
import { eventsIn, type SeenExchange } from '../../record/exchanges/seen-exchange.js'
import type { PassedExchange, PassedResponse } from '../../record/recording/passed-exchange.js'
import { parseShallow } from '../../record/recording/shallow-json.js'
import { isJson } from './proxy/message.js'

/** A task in an answer. */
export interface ShownTask {
  readonly id: string
  /** Undefined if the answer does not show it. */
  readonly status: Status | undefined
}

/** The tasks in a successful answer: the task that it is or contains, or the tasks that it lists. */
export function shownTasks({ answers }: Dialect, response: PassedResponse | undefined): readonly ShownTask[] {
  const body = response && response.status < 300 ? jsonOf(response) : undefined
  if (body === undefined || !isJsonObject(body)) return []
  return answeredTasks(body, answers).flatMap((task) => {
    const { id, status } = answeredTask(task, answers)
    return id === undefined ? [] : [{ id, status }]
  })
}

/** The JSON in an answer; undefined if there is none. */
export function jsonOf({ headers, body }: PassedResponse): JsonValue | undefined {
  return isJson(headers['content-type']) ? jsonIn(body) : undefined
}

const decoder = new TextDecoder()

/** An exchange that passed through the proxy, without what does not show tasks. */
export function seenExchange({ at, took, request, response }: PassedExchange): SeenExchange {
  const { pieces = [] } = response ?? {}
  return {
    at,
    answeredAt: at + took,
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: jsonIn(request.body),
    answer: response && {
      status: response.status,
      headers: response.headers,
      body: jsonIn(response.body),
      events: eventsIn(pieces.map(([after, text]) => [at + after, text])),
    },
  }
}

/** The text of a body; undefined if a person would not read it. */
export function textIn(body: Uint8Array, type = ''): string | undefined {
  return /json|text|urlencoded|xml/i.test(type) && body.length > 0 ? decoder.decode(body) : undefined
}

/** The JSON of a body; undefined if it is none. */
export function jsonIn(body: Uint8Array): JsonValue | undefined {
  return parseShallow(decoder.decode(body))
}
