import { counted } from '../../engine/counted.js'
import type { ExplorationReport, Problem, RunResult } from '../report.js'
import { RUN_RESULTS } from '../report.js'
import { isSingle, type Matrix, matricesOf } from './matrix.js'
import {
  baselineOf,
  causeOf,
  type MarkedRun,
  markedRuns,
  meaningOf,
  remarksOf,
  SIGNS,
  summaryOf,
} from './results.js'

/** How the text format looks. */
interface TextStyle {
  /** Whether the terminal shows colors; false by default. */
  readonly hasColors?: boolean
  /** The width of the terminal in characters; 100 by default. */
  readonly columns?: number
}

/** Formats a report as text: the problems, a matrix of places and deviations, remarks, and the summary. */
export function toText(
  report: ExplorationReport,
  { hasColors = false, columns = 100 }: TextStyle = {},
): string {
  const paint = hasColors ? painted : (text: string) => text
  const { problems, command } = report
  const remarks = remarksOf(report)
  return [
    `${paint('tasksim explore', 'bold')} ${plain(command.join(' '))}`,
    paint(baselineOf(report), 'dim'),
    '',
    ...problems.flatMap((problem) => [...problemLines(problem, columns, paint), '']),
    ...matrixLines(markedRuns(report), columns, paint),
    ...remarks.flatMap((remark) => wrapped(plain(remark), columns)),
    ...(remarks.length === 0 ? [] : ['']),
    paint(
      summaryOf(report),
      report.summary.errors > 0 ? 'red' : report.summary.warnings > 0 ? 'yellow' : 'green',
    ),
    '',
  ].join('\n')
}

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan'
type Paint = (text: string, style: Style) => string

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

function painted(text: string, style: Style): string {
  const [on, off] = CODES[style]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

const MARKS = { ok: 'green', excused: 'cyan', warning: 'yellow', error: 'red' } as const satisfies Record<
  string,
  Style
>

const INDENT = 10
/** The number of further runs of a problem that are listed. */
const MAX_OTHERS = 12

function problemLines(problem: Problem, columns: number, paint: Paint): string[] {
  const { severity, result, what, why, remedy, repeat, runs } = problem
  const style = severity === 'error' ? 'red' : 'yellow'
  const others = [...runs.slice(1, MAX_OTHERS + 1), ...moreThan(runs.length - 1)].join(' ')
  const parts: [string, string][] = [
    ['what', what],
    ['why', why],
    ['remedy', remedy],
    ['also', others],
    ['repeat', repeat],
  ]
  return [
    `${paint(severity, style)} ${paint(result, 'bold')}  ${plain(causeOf(problem))}`,
    ...parts
      .filter(([, text]) => text !== '')
      .flatMap(([name, text]) => partLines(name, text, columns, paint)),
  ]
}

function moreThan(others: number): string[] {
  return others > MAX_OTHERS ? [`and ${others - MAX_OTHERS} more`] : []
}

function partLines(name: string, text: string, columns: number, paint: Paint): string[] {
  // A command that is broken into lines cannot be copied.
  const lines = name === 'repeat' ? [plain(text)] : wrapped(plain(text), columns - INDENT)
  return lines.map((line, index) => {
    const label = (index === 0 ? `  ${name}` : '').padEnd(INDENT)
    return `${paint(label, 'dim')}${line}`
  })
}

function matrixLines(runs: readonly MarkedRun[], columns: number, paint: Paint): string[] {
  const matrices = matricesOf(runs)
  const names = matrices.flatMap(({ title, rows }) => [title, ...rows.map(({ place }) => place)])
  const width = Math.max(0, ...names.map(({ length }) => length)) + 2
  const tables = matrices.flatMap((matrix) => [
    ...tableLines(matrix, Math.min(width, 44), columns, paint),
    '',
  ])
  return tables.length === 0 ? [] : [...tables, ...legendLines(runs, paint), '']
}

/** A table in as many parts as the width requires. */
function tableLines(
  { title, deviations, rows }: Matrix<MarkedRun>,
  width: number,
  columns: number,
  paint: Paint,
): string[] {
  return chunked(deviations, columns - width).flatMap((chunk, index) => {
    const head = `${(index === 0 ? title : '').padEnd(width)}${chunk.join(' ')}`
    const lines = rows
      .filter(({ runs }) => chunk.some((word) => runs.has(word)))
      .map(({ place, runs }) => {
        const cells = chunk.map((word) => {
          const run = runs.get(word)
          const sign = run === undefined ? ' ' : run.mark === 'excused' ? 'a' : SIGNS[run.result]
          return centered(sign, word.length, (text) =>
            run === undefined ? text : paint(text, MARKS[run.mark]),
          )
        })
        return `${shortened(place, width - 2).padEnd(width)}${cells.join(' ')}`.trimEnd()
      })
    return [paint(head, 'dim'), ...lines]
  })
}

function centered(sign: string, width: number, paint: (text: string) => string): string {
  const left = Math.floor((width - 1) / 2)
  return `${' '.repeat(left)}${paint(sign)}${' '.repeat(width - 1 - left)}`
}

/** Distributes words to lines of a width. */
function chunked(words: readonly string[], width: number): string[][] {
  const chunks: string[][] = []
  let used = Infinity
  for (const word of words) {
    if (used + word.length > width) {
      chunks.push([])
      used = 0
    }
    chunks.at(-1)?.push(word)
    used += word.length + 1
  }
  return chunks
}

function legendLines(runs: readonly MarkedRun[], paint: Paint): string[] {
  const used = new Set<RunResult>(runs.filter(({ mark }) => mark !== 'excused').map(({ result }) => result))
  const signs = [...RUN_RESULTS].reverse().filter((result) => used.has(result))
  const lines = signs.map((result) => `${SIGNS[result]} ${result.padEnd(17)}${meaningOf(result, runs)}`)
  if (runs.some(({ mark }) => mark === 'excused'))
    lines.push(`a ${'accepted'.padEnd(17)}the scenario or the list of accepted problems says so`)
  const second = runs.filter((run) => !isSingle(run)).length
  if (second > 0) lines.push(`${counted(second, 'run')} with two deviations not shown`)
  return lines.map((line) => paint(line, 'dim'))
}

function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

/** Breaks a text into lines at its spaces, but not within code. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const [word] of text.matchAll(/(?:`[^`]*`|\S)+/g)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Control characters that a client or a receiver sent must not reach the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
