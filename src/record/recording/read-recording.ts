import type { Dialect } from '../../dialects/dialect.js'
import { Dialects } from '../../dialects/dialects.js'
import { UsageError } from '../../engine/errors.js'
import { type JsonValue, parseJson } from '../../engine/json.js'
import { EntryError } from '../field-readers.js'
import type { JsonElement, SkippedEntry } from '../history/json-elements.js'
import { type RecordingEntry, type RecordingHeader, readHeader, readRecordingEntry } from './recording.js'

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

/**
 * Loads the wire format of a recording.
 * @param name the name of the recording in messages
 * @throws UsageError if this tasksim does not have it, or the description in the recording is damaged
 */
export async function recordingDialect(
  { dialect, table }: Pick<RecordingHeader, 'dialect' | 'table'>,
  name: string,
): Promise<Dialect> {
  try {
    return await new Dialects(table === undefined ? [] : [table]).load(dialect)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${name}:1: ${error.message}`)
    throw new UsageError(
      `${name}:1: table: the description of the dialect ${JSON.stringify(dialect)} is damaged: ${(error as Error).message}. Pass its file with --dialect, or record again.`,
    )
  }
}
