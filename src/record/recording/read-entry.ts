import type { JsonValue } from '../../engine/json.js'
import { readInstantText } from '../history/task-entry.js'
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
} from './field-readers.js'
import type {
  ExchangeEntry,
  FileEntry,
  RecordedBody,
  RecordedField,
  RecordingEntry,
  WebhookEntry,
} from './recording.js'

/** A time, as the lines of a recording have it. */
export const time = textOf(
  'a time such as "2026-11-22T10:00:00.000Z"',
  (text) => readInstantText(text) !== undefined,
)

const milliseconds = numberOf('a number of milliseconds from 0 up', (value) => value >= 0)
const status = numberOf(
  'an HTTP status from 100 to 599',
  (value) => Number.isInteger(value) && value >= 100 && value < 600,
)
const method = textOf('an HTTP method such as "POST"', (text) => /^[A-Z]+$/.test(text))
const url = textOf('an absolute URL', (text) => URL.canParse(text))
const base64 = textOf('base64', (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text))
const count = numberOf('a number of bytes from 0 up', (value) => Number.isInteger(value) && value >= 0)
const sha256 = textOf('64 hexadecimal digits', (text) => /^[0-9a-f]{64}$/.test(text))

const anyJson: Read<JsonValue> = (value = null) => value

const textField = objectOf({ name: anyText, text: anyText })
const fileField = objectOf({
  name: anyText,
  file_name: anyText,
  content_type: optional(anyText),
  bytes: count,
  sha256,
})
const field: Read<RecordedField> = (value, place) =>
  Object.hasOwn(anyObject(value, place), 'text') ? textField(value, place) : fileField(value, place)

/** The bodies by the field that each has and no other. */
const BODIES: Readonly<Record<string, Read<RecordedBody>>> = {
  json: objectOf({ json: anyJson }),
  form: objectOf({ form: listOf(field) }),
  text: objectOf({ text: anyText }),
  base64: objectOf({ base64 }),
  sha256: objectOf({ bytes: count, sha256 }),
}

const body: Read<RecordedBody> = (value, place) => {
  const object = anyObject(value, place)
  const [, read] = Object.entries(BODIES).find(([name]) => Object.hasOwn(object, name)) ?? []
  if (read === undefined)
    throw flaw(place, 'an object with `json`, `form`, `text`, `base64` or `sha256`', value)
  return read(value, place)
}

const piece: Read<readonly [number, string]> = (value, place) => {
  if (!Array.isArray(value) || value.length !== 2)
    throw flaw(place, 'a list of milliseconds and a text, such as [1200, "data: {}"]', value)
  return [milliseconds(value[0], `${place}[0]`), anyText(value[1], `${place}[1]`)]
}

const request = objectOf({ method, url, headers: mappingOf(anyText), body: optional(body) })

const exchange: Read<ExchangeEntry> = objectOf({
  type: only('exchange'),
  at: time,
  took: milliseconds,
  key: optional(anyText),
  own: optional(only(true)),
  request,
  response: optional(
    objectOf({
      status,
      headers: mappingOf(anyText),
      body: optional(body),
      pieces: optional(listOf(piece)),
    }),
  ),
})

const webhook: Read<WebhookEntry> = objectOf({
  type: only('webhook'),
  at: time,
  took: milliseconds,
  request,
  response: optional(objectOf({ status })),
})

const file: Read<FileEntry> = objectOf({
  type: only('file'),
  at: time,
  url,
  content_type: anyText,
  base64,
})

const ENTRIES: ReadonlyMap<JsonValue | undefined, Read<RecordingEntry>> = new Map<
  string,
  Read<RecordingEntry>
>([
  ['exchange', exchange],
  ['webhook', webhook],
  ['file', file],
])

/**
 * Reads an entry of a recording.
 * @throws EntryError with the field, its value and what was expected
 */
export function readRecordingEntry(value: JsonValue): RecordingEntry {
  const { type } = anyObject(value, '')
  const read = ENTRIES.get(type)
  if (read === undefined) throw flaw('type', '"exchange", "webhook" or "file"', type)
  return read(value, '')
}
