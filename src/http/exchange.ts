/** A request, as an operation sees it, whichever host it came through. */
export interface ApiRequest {
  readonly method: string
  /** The path below the mount point, still percent-encoded, without the query. */
  readonly path: string
  /** The query without its question mark; may be empty. */
  readonly query: string
  /** What URLs that lead back here start with: scheme, host and mount path. */
  readonly origin: string
  /** Aborted when the client has left. A host without connections has none. */
  readonly signal?: AbortSignal
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined
  /**
   * Reads the body.
   * @param arrived called with the number of bytes of each piece; what it throws ends the reading
   * @returns undefined if it is longer than `limit` bytes
   */
  body(limit: number, arrived: (bytes: number) => void): Promise<Uint8Array | undefined>
}

/** An answer, as a host sends it. */
export interface Reply {
  readonly status: number
  /** By lower-case name; the answer's own, so that more may be put in on the way. */
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** How it travels, where that is not whole and at once. */
  readonly transmission?: Transmission
}

/**
 * How an answer travels that a fault has befallen: not at all, with a connection that is reset before or in the
 * middle of the headers, or with a body in pieces, which throw where the connection breaks off; it is whole where
 * it does not.
 */
export type Transmission =
  | { readonly hangs: true }
  | { readonly ends: 'before' | 'during' }
  | {
      readonly pieces: AsyncIterable<Uint8Array>
      /** Whether they come to a proper end. */
      readonly isWhole: boolean
      /** Whether the connection is reset, and not closed, where they break off. */
      readonly resets?: boolean
      /** Whether the pieces come until the reader leaves, so that their length cannot be told. */
      readonly isEndless?: boolean
      /** Aborted where whoever reads them is to be cut off, however slowly the pieces before have gone out. */
      readonly signal?: AbortSignal
    }

/** Whether the client gets all of an answer, sooner or later. */
export function isDelivered({ transmission }: Reply): boolean {
  return transmission === undefined || ('pieces' in transmission && transmission.isWhole)
}

/** Whether a path belongs to the control API. */
export function isOfControl(path: string): boolean {
  return path.startsWith('/_sim/')
}
