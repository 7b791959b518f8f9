import type { JsonObject } from '../../engine/json.js'
import type { OperationName } from '../../engine/requests/operations.js'
import type { Status } from '../../engine/tasks/task.js'
import type { ShownState } from './timeline.js'

/** A recorded text about a task. */
export interface TracedText {
  /** When its request was sent, in epoch milliseconds. */
  readonly at: number
  /** The state that it shows; undefined if it shows none. */
  readonly status: Status | undefined
  /** The word of the state, if the dialect does not know it. */
  readonly unknownWord?: string | undefined
  readonly text: string
}

/** A recorded answer. */
export interface TracedAnswer extends TracedText {
  readonly operation: OperationName
  readonly route: string
  /** The status of HTTP. */
  readonly code: number
  /** Those that are repeated, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

/** A recorded stream. */
export interface TracedStream {
  readonly operation: OperationName
  readonly route: string
  readonly contentType: string
  /** When each was sent, in epoch milliseconds, and its text. */
  readonly pieces: readonly (readonly [at: number, text: string])[]
}

/** An order that the service has rejected. */
export interface Rejection {
  /** When it was sent, in epoch milliseconds. */
  readonly zero: number
  readonly model: string
  readonly input: JsonObject
  readonly inputText: string
  readonly answer: TracedAnswer
}

/** Everything that a recording has about a task whose create request it has. */
export interface Trace {
  readonly id: string
  /** When it was ordered, in epoch milliseconds. */
  readonly zero: number
  readonly model: string | undefined
  readonly input: JsonObject
  readonly inputText: string
  /** The answer to the create request, unless that was a stream. */
  readonly created: TracedAnswer | undefined
  readonly states: ShownState[]
  readonly answers: TracedAnswer[]
  /** The task in lists. */
  readonly items: TracedText[]
  readonly streams: TracedStream[]
  readonly webhooks: TracedText[]
  /** Whether the client has canceled it. */
  isCanceled: boolean
}
