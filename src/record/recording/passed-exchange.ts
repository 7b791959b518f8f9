/** A request and its answer as they passed through the proxy, with all secrets. */
export interface PassedExchange {
  /** When the request arrived, in epoch milliseconds. */
  readonly at: number
  /** Milliseconds from the request to the end of the answer. */
  readonly took: number
  /** Whether tasksim sent the request itself, to learn the state of a task that the client did not poll. */
  readonly isOwn: boolean
  readonly request: PassedRequest
  /** Undefined if there was no answer. */
  readonly response: PassedResponse | undefined
}

/** A request as it passed through. */
export interface PassedRequest {
  readonly method: string
  /** The URL at the service, or that of the webhook receiver. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Describes a body that is too long to keep; `body` is then empty. */
  readonly longBody?: LongBody | undefined
}

/** A body that is too long to keep. */
export interface LongBody {
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** An answer as it passed through. */
export interface PassedResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The whole body, decoded, even if it was a stream. */
  readonly body: Uint8Array
  /** Describes a body that is too long to keep; `body` is then empty. */
  readonly longBody?: LongBody | undefined
  /** The pieces of a stream: milliseconds after the request, and the text. */
  readonly pieces?: readonly (readonly [after: number, text: string])[] | undefined
}
