import { isJsonObject, type JsonObject, parseJson } from '../../engine/json.js'

/** A piece of a stream: when it arrived, in epoch milliseconds, and its text. */
export type StreamPiece = readonly [at: number, text: string]

/** A server-sent event whose data are a JSON object. */
export interface SeenEvent {
  /** When its end had arrived, in epoch milliseconds. */
  readonly at: number
  readonly data: JsonObject
}

const EVENT_END = /\r\n\r\n|\n\n|\r\r/

/** The server-sent events in a stream, apart from those whose data are no JSON object. */
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
