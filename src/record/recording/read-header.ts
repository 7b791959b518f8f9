import type { DialectTable } from '../../dialects/table/model/dialect-table.js'
import { UsageError } from '../../engine/errors.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import {
  anyObject,
  anyText,
  flaw,
  listOf,
  objectOf,
  only,
  optional,
  type Read,
  textOf,
} from './field-readers.js'
import { time } from './read-entry.js'
import { RECORDING_VERSION, type RecordingHeader } from './recording.js'

const origin = textOf(
  'an origin such as "https://api.example.com"',
  (text) => URL.canParse(text) && new URL(text).origin === text,
)

const version: Read<typeof RECORDING_VERSION> = (value, place) => {
  if (value === RECORDING_VERSION) return value
  const error = flaw(place, String(RECORDING_VERSION), value)
  if (typeof value !== 'number' || value <= RECORDING_VERSION) throw error
  throw new UsageError(
    `${error.message}. The recording was written by a newer tasksim. Update: npm install --save-dev tasksim@latest`,
  )
}

/** The parts of a description that every wire format has. Its templates are checked when they are compiled. */
const table: Read<DialectTable> = (value, place) => {
  const object = anyObject(value, place)
  if (isTable(object)) return object
  throw flaw(
    place,
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
  dialect: textOf('the name of a dialect', (text) => text !== ''),
  table: optional(table),
  upstream: listOf(origin),
  started_at: time,
  salt: textOf('32 or more hexadecimal digits', (text) => /^[0-9a-f]{32,}$/.test(text)),
  redact: optional(listOf(anyText)),
  bodies: optional(only(false)),
})

/**
 * Reads the first line of a recording.
 * @throws EntryError with the field, its value and what was expected; UsageError if a newer tasksim wrote it
 */
export function readHeader(value: JsonValue): RecordingHeader {
  // The version first: everything else may be different in a newer one.
  version(anyObject(value, '')['version'], 'version')
  return header(value, '')
}
