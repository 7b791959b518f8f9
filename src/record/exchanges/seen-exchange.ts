import type { Dialect } from '../../dialects/dialect.js'
import { readOrder, type SeenOrder } from '../../dialects/reading/read-order.js'
import { isJsonObject, type JsonValue, parseJson } from '../../engine/json.js'

/** A request to a service, and its answer. Times are epoch milliseconds. */
export interface SeenExchange {
  /** When the request was sent. */
  readonly at: number
  /** When the answer had arrived. */
  readonly answeredAt: number
  readonly method: string
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** A name for the API key; undefined if it is in `headers` or the URL. */
  readonly key?: string | undefined
  /** The JSON of the body; undefined if it is not JSON. */
  readonly body: JsonValue | undefined
  /** Undefined if there was no answer. */
  readonly answer: SeenAnswer | undefined
}

/** The answer to a request. */
interface SeenAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue | undefined
  /** The events of a stream in place of a body. */
  readonly events?: readonly SeenEvent[] | undefined
}

/** What a request orders; undefined if it orders nothing. @param body its JSON, if it has any */
export function orderIn(
  dialect: Dialect,
  { method, url, headers }: Pick<SeenExchange, 'method' | 'url' | 'headers'>,
  body: JsonValue | undefined,
): SeenOrder | undefined {
  if (!isJsonObject(body)) return undefined
  const header = (name: string) => headers[name.toLowerCase()]
  return readOrder(dialect, { method, url: new URL(url), body, header })
}

/** A piece of a stream: when it arrived, in epoch milliseconds, and its text. */
type StreamPiece = readonly [at: number, text: string]

/** A server-sent event. */
export interface SeenEvent {
  /** When its end had arrived, in epoch milliseconds. */
  readonly at: number
  /** Undefined if it has none. */
  readonly name: string | undefined
  /** The JSON of its data; their text if they are not JSON. */
  readonly data: JsonValue
}

const EVENT_END = /\r\n\r\n|\n\n|\r\r/

/** The server-sent events in a stream, apart from those without data. */
export function eventsIn(pieces: Iterable<StreamPiece>): SeenEvent[] {
  const events: SeenEvent[] = []
  let rest = ''
  for (const [at, text] of pieces) {
    const parts = `${rest}${text}`.split(EVENT_END)
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const data = fieldOf(part, 'data')
      if (data !== undefined) events.push({ at, name: fieldOf(part, 'event'), data: parseJson(data) ?? data })
    }
  }
  return events
}

/** The value of a field of an event, whose lines are joined; undefined if the event does not have it. */
function fieldOf(event: string, name: string): string | undefined {
  const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith(`${name}:`))
  const values = lines.map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  return values.length === 0 ? undefined : values.join('\n')
}
