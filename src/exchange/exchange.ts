import type { Awaitable } from '../engine/awaitable.js'
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
   * @param arrived called with the number of bytes of each piece; an error that it throws ends the reading
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

/** Whether a path belongs to the control API. */
export function isOfControl(path: string): boolean {
  return path.startsWith('/_sim/')
}
