import type { JsonValue } from '../../engine/json.js'

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
  /** The JSON of the body; undefined if it is not JSON. */
  readonly body: JsonValue | undefined
  /** Undefined if there was no answer. */
  readonly answer: { readonly status: number; readonly body: JsonValue | undefined } | undefined
}
