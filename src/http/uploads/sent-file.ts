/** The content of a file, as its request describes it. */
export interface SentFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The name of the file; undefined if the request has none. */
  readonly name: string | undefined
  readonly contentType: string | undefined
}
