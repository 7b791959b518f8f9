import { UsageError } from '../../engine/errors.js'
import { type JsonValue, parseJson } from '../../engine/json.js'
import type { SkippedEntry } from '../history/read-element.js'
import { EntryError } from '../history/task-entry.js'
import { type Line, linesOf } from './lines.js'
import { readRecordingEntry } from './read-entry.js'
import { readHeader } from './read-header.js'
import type { RecordingEntry, RecordingHeader } from './recording.js'

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
