import type { Dialect } from '../../dialects/dialect.js'
import { readTask } from '../../dialects/reading/read-task.js'
import type { SeenTask } from '../../dialects/reading/seen-task.js'
import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { eventsIn, type SeenEvent } from '../exchanges/stream-events.js'
import { jsonOfBody } from '../recording/json-of-body.js'
import type { ExchangeEntry, RecordedBody, RecordedResponse } from '../recording/recording.js'

/** The text of a body; undefined if it is not text. */
export function textOf(body: RecordedBody | undefined): string | undefined {
  if (body === undefined) return ''
  if ('json' in body) return JSON.stringify(body.json)
  return 'text' in body ? body.text : undefined
}

/** The JSON object in a body; undefined if there is none. */
export function objectIn(body: RecordedBody | undefined): JsonObject | undefined {
  const json = jsonOfBody(body)
  return isJsonObject(json) ? json : undefined
}

/** The task in an answer about one task. */
export function taskIn(dialect: Dialect, body: JsonObject): SeenTask {
  const { task } = dialect.answers
  const inner = task === undefined ? undefined : body[task]
  return readTask(dialect, isJsonObject(inner) ? inner : body)
}

/** The tasks in a list, each with its JSON. */
export function tasksInList(
  dialect: Dialect,
  body: JsonObject,
): { readonly item: JsonObject; readonly seen: SeenTask }[] {
  const list = body[dialect.answers.list]
  const items = Array.isArray(list) ? list.filter(isJsonObject) : []
  return items.map((item) => ({ item, seen: readTask(dialect, item) }))
}

/** The server-sent events of an answer; none if it is no stream. */
export function eventsOf({ at }: ExchangeEntry, { pieces = [] }: RecordedResponse): readonly SeenEvent[] {
  const start = Date.parse(at)
  return eventsIn(pieces.map(([after, text]) => [start + after, text] as const))
}
