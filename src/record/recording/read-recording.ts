import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { UsageError } from '../../engine/errors.js'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../engine/json.js'
import type { JsonElement } from '../history/json-elements.js'
import type { SkippedEntry } from '../history/read-element.js'
import { EntryError } from '../history/task-entry.js'
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
import { readRecordingEntry, time } from './read-entry.js'
import { RECORDING_VERSION, type RecordingEntry, type RecordingHeader } from './recording.js'

const START = /^\uFEFF?\s*\{\s*"tasksim"\s*:\s*"recording"/

/** Whether a text is the start of a recording. */
export function isRecording(start: string): boolean {
  return START.test(start)
}

/** A recording whose entries are read one by one. */
export interface OpenRecording {
  readonly header: RecordingHeader
  readonly entries: AsyncIterable<RecordingEntry>
}

/** How to read a recording. */
export interface ReadingOptions {
  /** Its name in messages, such as the path of its file. */
  readonly name: string
  /** Receives the last line if it is incomplete, which happens if the recorder was killed. */
  readonly onIncomplete: (line: SkippedEntry) => void
}

/**
 * Reads a recording that arrives in pieces, with the memory of one line.
 * @throws UsageError if the text is not a recording, or a line is invalid, with its line number, the field, its value and
 *   the remedy; iterating over the entries throws it as well
 */
export async function readRecording(
  pieces: AsyncIterable<string>,
  options: ReadingOptions,
): Promise<OpenRecording> {
  const lines = linesOf(pieces)
  const first = await lines.next()
  const { name } = options
  if (first.done === true || !isRecording(first.value.text)) throw notRecording(name)
  const header = read(first.value, name, readHeader)
  return { header, entries: entriesIn(lines, options) }
}

async function* entriesIn(
  lines: AsyncIterable<Line>,
  { name, onIncomplete }: ReadingOptions,
): AsyncGenerator<RecordingEntry, void, void> {
  for await (const line of lines) {
    if (!line.isWhole && parseJson(line.text) === undefined) {
      const message = 'the last line is incomplete, as after a crash. Everything before it was read.'
      onIncomplete({ line: line.line, message })
    } else yield read(line, name, readRecordingEntry)
  }
}

function read<Result>({ text, line }: Line, name: string, convert: (value: JsonValue) => Result): Result {
  try {
    return convert(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UsageError(`${name}:${line}: not valid JSON: ${error.message}. ${REMEDY}`)
    if (error instanceof EntryError) throw new UsageError(`${name}:${line}: ${error.message}. ${REMEDY}`)
    throw error instanceof UsageError ? new UsageError(`${name}:${line}: ${error.message}`) : error
  }
}

const REMEDY = 'Correct the line or delete it.'

function notRecording(name: string): UsageError {
  return new UsageError(
    `${name} is not a recording: expected a first line that starts with {"tasksim":"recording". Make a recording with \`tasksim record\`.`,
  )
}

/** Characters. A longer line is a mistake: it would not fit into a string of the JavaScript engine. */
const LONGEST = 400_000_000

/** A line of a text, and whether it has its end: the last line of a recording that was interrupted may not. */
interface Line extends JsonElement {
  readonly isWhole: boolean
}

/** Splits a text that arrives in pieces into lines. Empty lines are left out. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line, void, void> {
  let number = 1
  let parts: string[] = []
  let length = 0
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      const line = { text: parts.join('') + piece.slice(from, end), line: number, isWhole: true }
      if (!isEmpty(line)) yield line
      parts = []
      length = 0
      number += 1
      from = end + 1
    }
    parts.push(piece.slice(from))
    length += piece.length - from
    if (length > LONGEST)
      throw new UsageError(
        `Line ${number} has more than ${LONGEST.toLocaleString('en')} characters. Check that the file is a recording.`,
      )
  }
  const rest = { text: parts.join(''), line: number, isWhole: false }
  if (!isEmpty(rest)) yield rest
}

function isEmpty({ text }: JsonElement): boolean {
  return /^\uFEFF?\s*$/.test(text)
}

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
function readHeader(value: JsonValue): RecordingHeader {
  // The version first: everything else may be different in a newer one.
  version(anyObject(value, '')['version'], 'version')
  return header(value, '')
}
