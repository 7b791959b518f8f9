import { jsonOfBody } from '../recording/json-of-body.js'
import type { ExchangeEntry, RecordedResponse, WebhookEntry } from '../recording/recording.js'
import type { SeenExchange } from './exchange.js'
import { eventsIn, type SeenEvent } from './stream-events.js'

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
