import type { Awaitable } from '../engine/awaitable.js'
import type { JsonValue } from '../engine/json.js'
import type { HeaderSource } from '../engine/requests/headers.js'

/** A request, independent of its host. */
export interface ApiRequest {
  readonly method: string
  /** The path below the mount point, still percent-encoded, without the query. */
  readonly path: string
  /** The query without its question mark; may be empty. */
  readonly query: string
  /** The start of URLs to this server: scheme, host and mount path. */
  readonly origin: string
  /** Aborted when the client disconnects. Undefined on a host without connections. */
  readonly signal?: AbortSignal | undefined
  /** Whether the client has disconnected. It costs less than {@link signal}, which a host may create on first use. */
  readonly hasLeft?: boolean | undefined
  /** @param name in lower case */
  header(name: string): string | undefined
  /**
   * All headers, for the journal, which keeps the object: it does not change any more, and refers to no other part of
   * the host. Undefined on a host without headers of its own.
   */
  headers?(): HeaderSource
  /**
   * Reads the body.
   * @param arrived called with the number of bytes of each piece that must be waited for; an error that it throws ends
   * the reading
   * @returns undefined if it is longer than `limit` bytes; a promise only if the body has not arrived
   */
  body(limit: number, arrived: (bytes: number) => void): Awaitable<Uint8Array | undefined>
  /**
   * Reads the body piece by piece, as it arrives. Undefined on a host that has the whole body at once.
   * @param take called with each piece; an error that it throws ends the reading
   * @returns false if the body is longer than `limit` bytes
   */
  readonly read?: ((limit: number, take: (piece: Uint8Array) => void) => Promise<boolean>) | undefined
}

/** An answer, independent of its host. */
export interface Reply {
  readonly status: number
  /** By lower-case name. Each reply has its own object, so that steps of the pipeline can add headers. */
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** The bytes of a long text, for a host that sends bytes. They count only if `body` is this text. */
  readonly encoded?: { readonly text: string; readonly bytes: Uint8Array<ArrayBuffer> } | undefined
  /** Whether the body contains the output files of its task, so that they need no download. */
  readonly hasFiles?: boolean
  /** Texts in the body that no record may show as a whole. */
  readonly secrets?: readonly string[]
  /** How a host sends the reply, if not as a whole and at once. */
  readonly transmission?: Transmission
}

/**
 * How a host sends a faulty or endless reply: not at all, with a connection that is reset before or during the headers,
 * or with a body in pieces. The iterator throws where the connection closes early.
 */
export type Transmission =
  | { readonly hangs: true }
  | { readonly ends: 'before' | 'during' }
  | {
      readonly pieces: AsyncIterable<Uint8Array>
      /** Whether the client gets the whole body. */
      readonly isWhole: boolean
      /** Whether an early end resets the connection instead of closing it. */
      readonly resets?: boolean
      /** Whether the pieces appear one by one, so that their length is unknown. */
      readonly isEndless?: boolean
      /** Returns how many pieces will probably appear, for faults that cut off a share of them. */
      readonly expected?: () => number
      /** Aborted to disconnect the client at once, even if it has not received all earlier pieces. */
      readonly signal?: AbortSignal
    }

/** Whether the client eventually gets the whole answer. */
export function isDelivered({ transmission }: Reply): boolean {
  return transmission === undefined || ('pieces' in transmission && transmission.isWhole)
}

/** Answers with a JSON body. */
export function json(status: number, body: object): Reply {
  return jsonText(status, JSON.stringify(body))
}

/** Answers with a body that is already serialized. */
export function jsonText(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

/** The content of a rejection, such as a `Problem`. */
export interface Rejection {
  readonly status: number
  readonly code: string
  readonly message: string
  /** The invalid field or parameter. */
  readonly param: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Further fields, next to the message. */
  readonly details?: object
  /** What exactly was wrong, such as `missing_key`, where services distinguish more than the code does. */
  readonly cause?: string | undefined
  /** The code in the words of the service, if a scenario or its wire format gives one. */
  readonly ownCode?: string | undefined
  /** The status that the wire format gives for this rejection; that of its code does not override it. */
  readonly ownStatus?: number | undefined
  /** The invalid value. */
  readonly given?: JsonValue | undefined
}

/** Answers with a rejection in the envelope `{ "error": { ... } }`. */
export function errorReply(rejection: Rejection, requestId: string): Reply {
  const { status, code, message, param, headers, details } = rejection
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error: { code, message, param, request_id: requestId, ...details } }),
  }
}

/** In characters. Shorter replies do not count. */
const SHORT = 65_536

/**
 * The bytes of a long reply, which a host counts as a transfer until it is sent: clients that do not read their answers
 * could fill the memory. Files do not count, because all replies with a file share its bytes.
 */
export function bytesOfReply({ body }: Reply): number {
  return typeof body === 'string' && body.length >= SHORT ? body.length : 0
}

/** Whether a path belongs to the control API. */
export function isOfControl(path: string): boolean {
  return path.startsWith('/_sim/')
}
