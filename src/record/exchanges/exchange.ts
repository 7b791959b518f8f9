import type { JsonValue } from '../../engine/json.js'
import type { SeenEvent } from './stream-events.js'

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
