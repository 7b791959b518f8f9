import { fromBase64, toBase64 } from '../engine/base64.js'
import { UsageError } from '../engine/errors.js'
import { excerptOf, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../engine/json.js'
import { otherVersion, ROWS_VERSION, type Row } from './ledger.js'

const HEADER = JSON.stringify({ tasksim: 'state', version: ROWS_VERSION })

/**
 * Writes rows as the lines of a state file, in the format JSON Lines. The first line is a header. The last line has the
 * number of rows, so that `readStateFile` detects an incomplete file.
 * @returns the lines, each with its line break
 */
export function* stateLines(rows: Iterable<Row>): Generator<string, void, undefined> {
  yield `${HEADER}\n`
  let count = 0
  for (const row of rows) {
    if (row.json === undefined) continue
    count += 1
    yield `${lineOf(row, row.json)}\n`
  }
  yield `${JSON.stringify({ rows: count })}\n`
}

function lineOf({ space, kind, seq, bytes }: Row, json: string): string {
  const start = JSON.stringify({
    kind,
    seq,
    ...(space !== '' && { space }),
    ...(bytes !== undefined && { bytes: toBase64(bytes) }),
  })
  // The content is already JSON.
  return `${start.slice(0, -1)},"value":${json}}`
}

/** Of what an error shows of a file, in characters. */
const LONGEST = 100

/** A row of a state file. */
export interface StateRow extends Row {
  readonly json: string
  /** The number of its line, starting at 1. */
  readonly line: number
}

/**
 * Reads a state file.
 * @throws UsageError that names the first line that is invalid
 */
export function readStateFile(text: string): StateRow[] {
  const lines = text.split('\n')
  // The last line ends with a line break.
  if (lines.at(-1) === '') lines.pop()
  checkHeader(lines[0] ?? '')
  const rows = lines.slice(1, -1).map((line, index) => readRow(line, index + 2))
  checkEnd(lines, rows.length)
  return rows
}

function checkHeader(line: string): void {
  const header = parseJson(line)
  if (header === undefined || !isJsonObject(header) || header['tasksim'] !== 'state')
    throw new UsageError(
      'Line 1 of the state is not the header of a state file. Give a file that `tasksim export` has written.',
    )
  if (header['version'] === ROWS_VERSION) return
  const shown = excerptOf(header['version'] ?? null, LONGEST)
  throw new UsageError(otherVersion('Line 1 of the state', shown, 'export the state of a new server'))
}

function checkEnd(lines: readonly string[], count: number): void {
  const end = parseJson(lines.at(-1) ?? '')
  const expected = end !== undefined && isJsonObject(end) ? end['rows'] : undefined
  if (lines.length > 1 && expected === count) return
  throw new UsageError(
    `Line ${lines.length} of the state is not its last line, {"rows":${count}}: the file is not complete. Export the state again.`,
  )
}

/** @throws UsageError if the line is not a row */
function readRow(text: string, line: number): StateRow {
  const row = parseJson(text)
  if (row === undefined || !isJsonObject(row)) throw invalid(line, 'it is not a JSON object')
  const { space = '', kind, seq, value, bytes, ...others } = row as Partial<JsonObject>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalid(line, `\`${unknown.slice(0, LONGEST)}\` is an unknown field`)
  if (typeof space !== 'string') throw invalid(line, '`space` is not a string')
  if (typeof kind !== 'string' || kind === '') throw invalid(line, '`kind` is not a non-empty string')
  if (!isNumber(seq)) throw invalid(line, '`seq` is not a whole number from 0 to 2^53 - 1')
  if (value === undefined) throw invalid(line, '`value` is missing')
  if (isDeeperThan(MOST_LEVELS, value))
    throw invalid(line, `it has more than ${MOST_LEVELS.toLocaleString('en')} levels of objects and lists`)
  const json = JSON.stringify(value)
  return { space, kind, seq, line, json, ...(bytes !== undefined && { bytes: readBytes(bytes, line) }) }
}

/** Objects and lists in each other. A request has at most 100, and thousands of them cannot be written as JSON. */
const MOST_LEVELS = 1_000

function isDeeperThan(levels: number, value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const inner = Array.isArray(value) ? value : Object.values(value)
  return inner.some((each) => isDeeperThan(levels - 1, each))
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function readBytes(bytes: JsonValue, line: number): Uint8Array<ArrayBuffer> {
  const read = typeof bytes === 'string' ? fromBase64(bytes) : undefined
  if (read === undefined) throw invalid(line, '`bytes` is not Base64')
  return read
}

function invalid(line: number, flaw: string): UsageError {
  return new UsageError(
    `Line ${line} of the state is not a row: ${flaw}. Correct the line, or export the state again.`,
  )
}
