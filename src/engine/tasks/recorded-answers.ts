import type { OperationName } from '../requests/operations.js'

/** What a service showed of one task. */
export interface RecordedAnswers {
  /** The id that the service gave it. */
  readonly id: string
  /** The word with which it ended, if the wire format does not know it. */
  readonly endWord: string | undefined
  /**
   * The answer to a request about the task in its present state; undefined if the recording has none.
   * @param route the path of the operation in the wire format
   */
  answer(operation: OperationName, route: string, view: RecordedView): ShownAnswer | undefined
  /** The task in a list, as JSON; undefined if the recording has no list that shows it in its present state. */
  listItem(view: RecordedView): string | undefined
  /** The body of a webhook with this name of the event; undefined if the recording has none. */
  webhook(event: string, view: Omit<RecordedView, 'baseOf'>): string | undefined
  /** A stream of the task; undefined if the recording has none. */
  stream(operation: OperationName, route: string, view: RecordedView): RecordedStream | undefined
  /** An output file; undefined if it was not recorded. */
  file(index: number): RecordedFile | undefined
}

/** The task that repeats a recorded one. */
interface RepeatingTask {
  readonly id: string
  readonly status: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly origin: string
  /** The same object for its whole life. */
  readonly plan: object
}

/** How a client sees a recorded task. */
export interface RecordedView {
  readonly task: RepeatingTask
  /** Epoch milliseconds. */
  readonly now: number
  /** Returns the URL at which the client reaches a host of the service, by the start of its paths in the dialect. */
  baseOf(path: string): string
  /** Returns the URL of an output file. */
  urlOf(file: number): string
}

/** An answer. */
export interface ShownAnswer {
  /** The status of HTTP. */
  readonly code: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A stream: its pieces, each with the time at which it is sent, in epoch milliseconds. */
export interface RecordedStream {
  readonly contentType: string
  readonly pieces: readonly (readonly [at: number, text: string])[]
}

/** A file. */
export interface RecordedFile {
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Makes the recorded answer for a client. @param now epoch milliseconds */
export type RejectedAnswer = (now: number, baseOf: RecordedView['baseOf']) => ShownAnswer

/** Thrown for an order that the recorded service has rejected. */
export class RecordedRejection extends Error {
  override readonly name = 'RecordedRejection'
  readonly answer: RejectedAnswer

  constructor(answer: RejectedAnswer) {
    super('The recorded service rejected this request.')
    this.answer = answer
  }
}
