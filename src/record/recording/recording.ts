import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import type { JsonValue } from '../../engine/json.js'

/** The version of the format that {@link RecordingHeader} and {@link RecordingEntry} describe. */
export const RECORDING_VERSION = 1

/** The first line of a recording. A recording is JSON Lines: this header, then one {@link RecordingEntry} per line. */
export interface RecordingHeader {
  readonly tasksim: 'recording'
  readonly version: typeof RECORDING_VERSION
  /** The name of the wire format. */
  readonly dialect: string
  /** The description of the wire format, if it is not built in. */
  readonly table?: DialectTable | undefined
  /** The origins of the service, such as `https://api.example.com`; the one that clients call first comes first. */
  readonly upstream: readonly string[]
  /** When the recording was started, such as `2026-11-22T10:00:00.000Z`. */
  readonly started_at: string
  /** The key of the hashes that replace redacted values, in hexadecimal digits. */
  readonly salt: string
  /** The places whose values the user redacted, such as `input.prompt`. */
  readonly redact?: readonly string[] | undefined
  /** `false` if the texts of inputs and outputs are redacted. */
  readonly bodies?: false | undefined
}

/** A line of a recording after the header. The entries are in the order of their ends. */
export type RecordingEntry = ExchangeEntry | WebhookEntry | FileEntry

/** A request to the service, and its answer. */
export interface ExchangeEntry {
  readonly type: 'exchange'
  /** When the request arrived, such as `2026-11-22T10:00:00.000Z`. */
  readonly at: string
  /** Milliseconds from the request to the end of the answer. */
  readonly took: number
  /** A name for the API key of the request, such as `key_3f9a0c12`: the same key has the same name. */
  readonly key?: string | undefined
  /** Whether tasksim sent the request itself, to learn the state of a task that the client did not poll. */
  readonly own?: true | undefined
  readonly request: RecordedRequest
  /** Undefined if there was no answer. */
  readonly response?: RecordedResponse | undefined
}

/** A request. Its URL has no secrets. */
export interface RecordedRequest {
  readonly method: string
  /** The URL at the service, with the query. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RecordedBody | undefined
}

/** An answer. */
export interface RecordedResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RecordedBody | undefined
  /** The pieces of a stream in place of a body: milliseconds after the request, and the text. */
  readonly pieces?: readonly (readonly [after: number, text: string])[] | undefined
}

/** A body: JSON, the fields of a form, other text, other bytes, or only their number and hash. */
export type RecordedBody =
  | { readonly json: JsonValue }
  | { readonly form: readonly RecordedField[] }
  | { readonly text: string }
  | { readonly base64: string }
  | RecordedBytes

/** Bytes that are not kept: their number, and their SHA-256 in hexadecimal digits. */
interface RecordedBytes {
  readonly bytes: number
  readonly sha256: string
}

/** A field of a form (multipart or URL-encoded): a text or a file. */
export type RecordedField =
  | { readonly name: string; readonly text: string }
  | ({
      readonly name: string
      readonly file_name: string
      readonly content_type?: string | undefined
    } & RecordedBytes)

/** A webhook that the service sent, and the answer of the receiver. */
export interface WebhookEntry {
  readonly type: 'webhook'
  readonly at: string
  readonly took: number
  readonly request: RecordedRequest
  /** Undefined if the receiver did not answer. */
  readonly response?: Pick<RecordedResponse, 'status'> | undefined
}

/** An output file of a task. */
export interface FileEntry {
  readonly type: 'file'
  readonly at: string
  /** Its URL without query and fragment, as outputs contain it. */
  readonly url: string
  readonly content_type: string
  readonly base64: string
}
