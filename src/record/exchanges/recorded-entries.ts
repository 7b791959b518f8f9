import type { Dialect } from '../../dialects/dialect.js'
import type { JsonValue } from '../../engine/json.js'
import { type FormField, objectOfForm } from '../../exchange/form-object.js'
import type { ObservedTask } from '../history/observed-task.js'
import type { Traffic } from '../learn/traffic/traffic.js'
import type {
  ExchangeEntry,
  RecordedBody,
  RecordedResponse,
  RecordingEntry,
  WebhookEntry,
} from '../recording/recording.js'
import { ObservedTasks } from './observed-tasks.js'
import { eventsIn, type SeenEvent, type SeenExchange } from './seen-exchange.js'

/** What an entry of a recording shows. */
export function seenEntry(entry: ExchangeEntry | WebhookEntry): SeenExchange {
  const { request, took } = entry
  const at = Date.parse(entry.at)
  return {
    at,
    answeredAt: at + took,
    method: request.method,
    url: request.url,
    headers: request.headers,
    key: entry.type === 'exchange' ? entry.key : undefined,
    body: jsonOfBody(request.body),
    answer: answerOf(entry, at),
  }
}

function answerOf(entry: ExchangeEntry | WebhookEntry, at: number): SeenExchange['answer'] {
  const { response, took } = entry
  if (response === undefined) return undefined
  if (entry.type === 'webhook') return { status: response.status, headers: {}, body: undefined }
  const { headers, body, pieces }: Partial<RecordedResponse> = entry.response ?? {}
  const events = eventsOf({ body, pieces }, at, took)
  return {
    status: response.status,
    headers: headers ?? {},
    body: jsonOfBody(body),
    ...(events && { events }),
  }
}

function eventsOf(
  { body, pieces }: Pick<RecordedResponse, 'body' | 'pieces'>,
  at: number,
  took: number,
): readonly SeenEvent[] | undefined {
  if (pieces !== undefined) return eventsIn(pieces.map(([after, text]) => [at + after, text]))
  const text = body !== undefined && 'text' in body ? body.text : ''
  return text.startsWith('data:') || text.includes('\ndata:') ? eventsIn([[at + took, text]]) : undefined
}

/** The JSON of a body, or the object that the texts of a form stand for; undefined if it is neither. */
export function jsonOfBody(body: RecordedBody | undefined): JsonValue | undefined {
  if (body === undefined) return undefined
  if ('json' in body) return body.json
  if (!('form' in body)) return undefined
  return objectOfForm(
    body.form.flatMap((field): FormField[] => ('text' in field ? [[field.name, field.text]] : [])),
  )
}

/**
 * Reads the tasks in the entries of a recording: those that its requests create, poll and list.
 * @param traffic gets all requests
 */
export async function* readRecorded(
  entries: AsyncIterable<RecordingEntry>,
  dialect: Dialect,
  traffic?: Traffic,
): AsyncGenerator<ObservedTask, void, void> {
  const observed = new ObservedTasks(dialect)
  for await (const entry of entries) {
    if (entry.type === 'file') continue
    const exchange = seenEntry(entry)
    observed.add(exchange)
    traffic?.add(exchange)
  }
  yield* observed.tasks()
}
