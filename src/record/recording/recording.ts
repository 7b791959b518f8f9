import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { LONGEST_DURATION } from '../../engine/clock/durations.js'
import { UsageError } from '../../engine/errors.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import {
  anyObject,
  anyText,
  flaw,
  listOf,
  mappingOf,
  numberOf,
  objectOf,
  only,
  optional,
  type Read,
  textOf,
  time,
} from '../field-readers.js'

/*
 * A recording is JSON Lines: a header, then one entry per line, in the order of their ends. The readers below describe the
 * fields of each line; the types follow from them.
 */

/** The version of the format. */
export const RECORDING_VERSION = 1

const milliseconds = numberOf(
  'a number of milliseconds from 0 up to 100 years',
  (value) => value >= 0 && value <= LONGEST_DURATION,
)
const status = numberOf(
  'an HTTP status from 100 to 599',
  (value) => Number.isInteger(value) && value >= 100 && value < 600,
)
const method = textOf('an HTTP method such as "POST"', (text) => /^[A-Z]+$/.test(text))
const url = textOf('an absolute URL', (text) => URL.canParse(text))
const base64 = textOf('base64', (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text))
const count = numberOf('a number of bytes from 0 up', (value) => Number.isInteger(value) && value >= 0)
const anyJson: Read<JsonValue> = (value = null) => value
/** By lower-case name. */
const headers = mappingOf(anyText)

/** Bytes that are not kept: their number, and their SHA-256. */
const bytes = {
  bytes: count,
  sha256: textOf('64 hexadecimal digits', (text) => /^[0-9a-f]{64}$/.test(text)),
}

const textField = objectOf({ name: anyText, text: anyText })
const fileField = objectOf({ name: anyText, file_name: anyText, content_type: optional(anyText), ...bytes })

/** A field of a form (multipart or URL-encoded): a text or a file. */
export type RecordedField = ReturnType<typeof textField> | ReturnType<typeof fileField>

const field: Read<RecordedField> = (value, path) =>
  Object.hasOwn(anyObject(value, path), 'text') ? textField(value, path) : fileField(value, path)

/** The forms of a body: JSON, the fields of a form, other text, other bytes, or only their number and hash. */
const BODIES = {
  json: objectOf({ json: anyJson }),
  form: objectOf({ form: listOf(field) }),
  text: objectOf({ text: anyText }),
  base64: objectOf({ base64 }),
  sha256: objectOf(bytes),
}

/** A body, which has the fields of one of the {@link BODIES}. */
export type RecordedBody = ReturnType<(typeof BODIES)[keyof typeof BODIES]>

const body: Read<RecordedBody> = (value, path) => {
  const object = anyObject(value, path)
  const [, read] = Object.entries(BODIES).find(([name]) => Object.hasOwn(object, name)) ?? []
  if (read === undefined)
    throw flaw(path, 'an object with `json`, `form`, `text`, `base64` or `sha256`', value)
  return read(value, path)
}

const piece: Read<readonly [after: number, text: string]> = (value, path) => {
  if (!Array.isArray(value) || value.length !== 2)
    throw flaw(path, 'a list of milliseconds and a string, such as [1200, "data: {}"]', value)
  return [milliseconds(value[0], `${path}[0]`), anyText(value[1], `${path}[1]`)]
}

const request = objectOf({
  method,
  /** At the service, with the query, and without secrets. */
  url,
  headers,
  body: optional(body),
})
/** A request. */
export type RecordedRequest = ReturnType<typeof request>

const response = objectOf({
  status,
  headers,
  body: optional(body),
  /** The pieces of a stream in place of a body: milliseconds after the request, and the text. */
  pieces: optional(listOf(piece)),
})
/** An answer. */
export type RecordedResponse = ReturnType<typeof response>

const exchange = objectOf({
  type: only('exchange'),
  /** When the request arrived. */
  at: time,
  /** From the request to the end of the answer. */
  took: milliseconds,
  /** A name for the API key of the request, such as `key_3f9a0c12`: the same key has the same name. */
  key: optional(anyText),
  /** Whether tasksim sent the request itself, to learn the state of a task that the client did not poll. */
  own: optional(only(true)),
  request,
  /** Missing if there was no answer. */
  response: optional(response),
})
/** A request to the service, and its answer. */
export type ExchangeEntry = ReturnType<typeof exchange>

const webhook = objectOf({
  type: only('webhook'),
  at: time,
  took: milliseconds,
  request,
  /** Missing if the receiver did not answer. */
  response: optional(objectOf({ status })),
})
/** A webhook that the service sent, and the answer of the receiver. */
export type WebhookEntry = ReturnType<typeof webhook>

const file = objectOf({
  type: only('file'),
  at: time,
  /** Without query and fragment, as outputs contain it. */
  url,
  content_type: anyText,
  base64,
})
/** An output file of a task. */
export type FileEntry = ReturnType<typeof file>

/** A line of a recording after the header. */
export type RecordingEntry = ExchangeEntry | WebhookEntry | FileEntry

/**
 * Reads an entry of a recording.
 * @throws EntryError with the field, its value and what was expected
 */
export function readRecordingEntry(value: JsonValue): RecordingEntry {
  const { type } = anyObject(value, '')
  switch (type) {
    case 'exchange':
      return exchange(value, '')
    case 'webhook':
      return webhook(value, '')
    case 'file':
      return file(value, '')
    default:
      throw flaw('type', '"exchange", "webhook" or "file"', type)
  }
}

const origin = textOf(
  'an origin such as "https://api.example.com"',
  (text) => URL.canParse(text) && new URL(text).origin === text,
)

const version: Read<typeof RECORDING_VERSION> = (value, path) => {
  if (value === RECORDING_VERSION) return value
  const error = flaw(path, String(RECORDING_VERSION), value)
  if (typeof value !== 'number' || value <= RECORDING_VERSION) throw error
  throw new UsageError(
    `${error.message}. The recording was written by a newer tasksim. Update: npm install --save-dev tasksim@latest`,
  )
}

/** The parts of a description that every wire format has. Its templates are checked when they are compiled. */
const table: Read<DialectTable> = (value, path) => {
  const object = anyObject(value, path)
  if (isTable(object)) return object
  throw flaw(
    path,
    'the description of a dialect with `name`, `ids`, `task`, `statuses`, `error` and `operations`',
    value,
  )
}

function isTable(object: JsonObject): object is JsonObject & DialectTable {
  const parts = ['ids', 'task', 'statuses', 'error'].map((name) => object[name])
  return (
    typeof object['name'] === 'string' && Array.isArray(object['operations']) && parts.every(isJsonObject)
  )
}

const header = objectOf({
  tasksim: only('recording'),
  version,
  /** The name of the wire format. */
  dialect: textOf('the name of a dialect', (text) => text !== ''),
  /** The description of the wire format, if it is not built in. */
  table: optional(table),
  /** The origins of the service; the one that clients call first comes first. */
  upstream: listOf(origin),
  /** When the recording was started. */
  started_at: time,
  /** The key of the hashes that replace redacted values. */
  salt: textOf('32 or more hexadecimal digits', (text) => /^[0-9a-f]{32,}$/.test(text)),
  /** The fields whose values the user redacted, such as `input.prompt`. */
  redact: optional(listOf(anyText)),
  /** `false` if the texts of inputs and outputs are redacted. */
  bodies: optional(only(false)),
})
/** The first line of a recording. */
export type RecordingHeader = ReturnType<typeof header>

/**
 * Reads the first line of a recording.
 * @throws EntryError with the field, its value and what was expected; UsageError if a newer tasksim wrote it
 */
export function readHeader(value: JsonValue): RecordingHeader {
  // The version first: everything else may be different in a newer one.
  version(anyObject(value, '')['version'], 'version')
  return header(value, '')
}
