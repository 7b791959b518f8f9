import { isSecretHeader } from './secret-names.js'
import { isProse } from './value-span.js'
import type { Span } from './view.js'
import type { Found } from './views.js'

/** What separates the cells of a line: commas, semicolons, tabs, bars, or at least two blanks. */
const SEPARATORS = [/,/g, /;/g, /\t/g, /\|/g, / {2,}/g]
const LINE = /[^\r\n]+/g
/** A line below the names of columns, such as `|---|:-:|`. */
const RULE = /^[\s|+:=-]+$/
/** The name of a column: an identifier, or few words. */
const NAME = /^["'`]?[a-z_][\w.-]{0,40}(?: [a-z]{1,20}){0,2}["'`]?$/i
/** What may precede the names, as in `csv=user,pin`. */
const BEFORE_NAMES = /^.*[=:?&>({[]/
/** A line with names; sentences have other signs. */
const NAMES = /^[\s|]*["'`]?[a-z_][\w."'` -]*(?:[,;\t|]|\s{2})[\w."'`,;\t| -]*$/i
const LONGEST_NAMES = 2_000
/** The cells in quotation marks of a line. */
const QUOTED = /"(?:[^"]|"")*"/g

const ROW_START = /<tr\b/i
const CELL = /<t[hd]\b[^<>]{0,400}>\s{0,40}([^<]*)/gi

/** The names of columns and the values in a statement of SQL. */
const INSERT = /\(([^()]{1,2000})\)\s{0,9}values\s{0,9}(?=\()/gi
const TUPLE = /\s{0,9},?\s{0,9}\(([^()]{0,20000})\)/y

/** Finds secrets in the columns of tables, by the names of the columns: CSV, Markdown, HTML, SQL, output of commands. Words stay. */
export function* inTables(text: string): Generator<Found> {
  if (text.includes('\n')) for (const separator of SEPARATORS) yield* inLines(text, separator)
  if (ROW_START.test(text)) yield* inRows(rowsOfHtml(text))
  for (const { 0: whole, 1: names = '', index } of text.matchAll(INSERT))
    yield* inRows([
      cellsOf({ start: index + 1, text: names }, /,/g),
      ...tuplesAfter(text, index + whole.length),
    ])
}

interface Cell extends Span {
  readonly text: string
}

/** A part of a text. */
interface Part {
  readonly start: number
  readonly text: string
}

function* inLines(text: string, separator: RegExp): Generator<Found> {
  let columns: Columns | undefined
  for (const { 0: line, index } of text.matchAll(LINE)) {
    if (RULE.test(line)) continue
    const cells = columns && cellsOf({ start: index, text: line }, separator)
    if (cells !== undefined && cells.length === columns?.count) yield* secretsIn(cells, columns)
    else columns = columnsIn(line, separator)
  }
}

function columnsIn(line: string, separator: RegExp): Columns | undefined {
  if (line.length > LONGEST_NAMES) return undefined
  const names = line.replace(BEFORE_NAMES, '')
  return NAMES.test(names) ? columnsOf(cellsOf({ start: 0, text: names }, separator)) : undefined
}

function* inRows(rows: Iterable<readonly Cell[]>): Generator<Found> {
  let columns: Columns | undefined
  for (const cells of rows)
    if (columns?.count === cells.length) yield* secretsIn(cells, columns)
    else columns = columnsOf(cells)
}

interface Columns {
  readonly count: number
  readonly secret: readonly number[]
}

/** The columns with secrets, if the cells are the names of columns. */
function columnsOf(cells: readonly Cell[]): Columns | undefined {
  const names = cells.map(({ text }) => text)
  if (names.length < 2 || !names.every((name) => name === '' || NAME.test(name))) return undefined
  const secret = names.flatMap((name, index) => (isSecretHeader(name) ? [index] : []))
  return secret.length === 0 ? undefined : { count: cells.length, secret }
}

function* secretsIn(cells: readonly Cell[], { secret }: Columns): Generator<Found> {
  for (const index of secret) {
    const cell = cells[index]
    if (cell !== undefined && !isProse(cell.text)) yield { start: cell.start, end: cell.end, isSecret: true }
  }
}

function cellsOf({ start, text }: Part, separator: RegExp): Cell[] {
  // Separators in quotation marks do not count.
  const plain = text.includes('"') ? text.replace(QUOTED, (quoted) => '"'.repeat(quoted.length)) : text
  const cells: Cell[] = []
  let from = 0
  for (const { 0: whole, index } of plain.matchAll(separator)) {
    cells.push(cellAt(start + from, text.slice(from, index)))
    from = index + whole.length
  }
  return [...cells, cellAt(start + from, text.slice(from))]
}

/** A cell without the blanks and quotation marks around its text. */
function cellAt(at: number, text: string): Cell {
  const [before = ''] = /^[\s"'`]*/.exec(text) ?? []
  const plain = text.slice(before.length).replace(/[\s"'`]+$/, '')
  return { start: at + before.length, end: at + before.length + plain.length, text: plain }
}

function* rowsOfHtml(text: string): Generator<readonly Cell[]> {
  let start = 0
  for (const row of text.split(/(?=<tr\b)/i)) {
    yield Array.from(row.matchAll(CELL), ({ 0: whole, 1: cell = '', index }) =>
      cellAt(start + index + whole.length - cell.length, cell),
    )
    start += row.length
  }
}

function* tuplesAfter(text: string, start: number): Generator<readonly Cell[]> {
  TUPLE.lastIndex = start
  for (let found = TUPLE.exec(text); found !== null; found = TUPLE.exec(text)) {
    const { 0: whole, 1: values = '', index } = found
    yield cellsOf({ start: index + whole.length - values.length - 1, text: values }, /,/g)
    TUPLE.lastIndex = index + whole.length
  }
}
