import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../engine/json.js'

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

/** A piece of a stream: when it arrived, in epoch milliseconds, and its text. */
type StreamPiece = readonly [at: number, text: string]

/** A server-sent event whose data are a JSON object. */
export interface SeenEvent {
  /** When its end had arrived, in epoch milliseconds. */
  readonly at: number
  readonly data: JsonObject
}

const EVENT_END = /\r\n\r\n|\n\n|\r\r/

/** The server-sent events in a stream, apart from those whose data are not a JSON object. */
export function eventsIn(pieces: Iterable<StreamPiece>): SeenEvent[] {
  const events: SeenEvent[] = []
  let rest = ''
  for (const [at, text] of pieces) {
    const parts = `${rest}${text}`.split(EVENT_END)
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const data = dataOf(part)
      if (data !== undefined) events.push({ at, data })
    }
  }
  return events
}

function dataOf(event: string): JsonObject | undefined {
  const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'))
  const data = parseJson(lines.map((line) => line.slice('data:'.length)).join('\n'))
  return isJsonObject(data) ? data : undefined
}
