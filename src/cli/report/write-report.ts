import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import pc, { type createColors } from 'picocolors'
import type { InferredOptionTypes } from 'yargs'
import { UsageError } from '../../engine/errors.js'
import { escapedXml, githubCommand } from '../../inspect/escaped-text.js'
import { countOf, FAIL_ON, type Mark, type Report, type ReportLine, unobservedIn } from './report.js'
import { toMarkdown } from './to-markdown.js'

const FORMATS = ['text', 'json', 'junit', 'github', 'markdown'] as const

type Format = (typeof FORMATS)[number]

/** The options of every command that writes a report. */
export function reportOptions() {
  return {
    'fail-on': {
      choices: FAIL_ON,
      default: 'warning' as (typeof FAIL_ON)[number],
      describe: 'Minimum severity that fails the run; notes never fail it',
    },
    report: {
      type: 'string',
      requiresArg: true,
      describe:
        'Write the report to this file: .json, .xml (JUnit), .md (Markdown) or text, unless --format is given',
    },
    format: { choices: FORMATS as readonly Format[], describe: 'Format of the report' },
  } as const
}

/** The arguments for the file and the format of a report. */
export type ReportArguments = Pick<InferredOptionTypes<ReturnType<typeof reportOptions>>, 'report' | 'format'>

/**
 * Prints a report. If a file is given, also writes the report there, and prints it as text.
 * @throws UsageError if the file cannot be written
 */
export async function writeReport(
  report: Report,
  { report: file, format }: ReportArguments,
  stream: NodeJS.WriteStream,
): Promise<void> {
  const hasColors = stream.isTTY === true && !process.env['NO_COLOR']
  const printed = file === undefined ? (format ?? 'text') : 'text'
  await new Promise<void>((written) => {
    stream.write(render(report, printed, hasColors), () => written())
  })
  if (file === undefined) return
  try {
    await writeFile(file, render(report, format ?? formatFor(file)))
  } catch (error) {
    throw new UsageError(`Cannot write the report to ${file}: ${(error as Error).message}`)
  }
}

/** Formats a report. The result ends in a line break. */
export function render(report: Report, format: Format, hasColors = false): string {
  switch (format) {
    case 'text':
      return toText(report, pc.createColors(hasColors))
    case 'json':
      return toJson(report)
    case 'junit':
      return toJunit(report)
    case 'github':
      return toGithub(report)
    case 'markdown':
      return toMarkdown(report)
  }
}

/** The format for the extension of a file. */
export function formatFor(file: string): Format {
  const extension = extname(file).toLowerCase()
  if (extension === '.json') return 'json'
  if (extension === '.md') return 'markdown'
  return extension === '.xml' ? 'junit' : 'text'
}

function toJson({ name, subject, note, lines, failures }: Report): string {
  const results = lines.map(({ mark, details, isBrief: _, fails: __, ...rest }) => ({
    verdict: mark,
    ...rest,
    ...details,
  }))
  return `${JSON.stringify({ name, subject, note, passed: failures.length === 0, failures, results }, null, 2)}\n`
}

/**
 * Formats a report as annotations of GitHub Actions. It omits the checks that passed. One annotation has all rules that
 * were not observed, because GitHub shows only ten of a step.
 */
function toGithub({ name, lines, failures }: Report): string {
  const annotations = lines.flatMap((line) => annotation(name, line))
  const unobserved = unobservedIn(lines).map(({ ids, advice }) => `${ids.join(', ')}: ${advice}`)
  if (unobserved.length > 0) annotations.push(githubCommand('note', `${name}: not observed`, unobserved))
  return [...annotations, ...failures.map((failure) => `${name} failed: ${failure}`), ''].join('\n')
}

function annotation(name: string, { mark, id, title, seen, why, remedy }: ReportLine): string[] {
  if (mark !== 'error' && mark !== 'warning' && mark !== 'note') return []
  const text = [title, ...seen, why, remedy].filter((line) => line !== '')
  return [githubCommand(mark, `${name}: ${id}`, text)]
}

/**
 * Formats a report as JUnit XML. A test case fails only if its check fails the run; other warnings, errors and notes
 * are output of their test case. Checks that were not observed are skipped.
 */
function toJunit({ name, lines }: Report): string {
  const failures = lines.filter(({ fails }) => fails).length
  const skipped = lines.filter(({ mark }) => mark === 'not_observed').length
  const counts = `tests="${lines.length}" failures="${failures}" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapedXml(name)}" ${counts}>`,
    ...lines.map((line) => testCase(name, line)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(name: string, line: ReportLine): string {
  const head = `    <testcase classname="${escapedXml(name)}" name="${escapedXml(`${line.id}: ${line.title}`)}"`
  const parts = [...line.seen, line.why, line.remedy, line.provoke ?? '']
  const text = escapedXml(parts.filter((part) => part !== '').join('\n'))
  if (line.fails) {
    const message = escapedXml(line.seen[0] ?? line.title)
    return `${head}><failure type="${line.mark}" message="${message}">${text}</failure></testcase>`
  }
  if (line.mark === 'not_observed') return `${head}><skipped message="${text || NO_OCCASION}"/></testcase>`
  if (line.mark === 'ok' || text === '') return `${head}/>`
  return `${head}><system-out>${line.mark}: ${text}</system-out></testcase>`
}

const NO_OCCASION = 'Not observed: the run had no occasion for this check.'

type Colors = ReturnType<typeof createColors>

const INDENT = ' '.repeat(14)
const MORE = 'Advice for each rule: --format markdown or json, or the page "Provoke each finding".'

/** Formats a report as text: one line for checks that passed, reasons and remedies for the others. */
function toText({ name, subject, note, lines, isUnused = false, failures }: Report, colors: Colors): string {
  return [
    `${colors.bold(name)} ${subject}`,
    ...(note === undefined ? [] : [colors.dim(note)]),
    '',
    ...lines.filter(({ isBrief }) => !isBrief).map((line) => entry(line, colors)),
    ...passed(lines, colors),
    ...unobserved(lines, isUnused, colors),
    '',
    countOf(lines),
    ...failures.map((failure) => colors.red(`Failed: ${failure}`)),
    '',
  ].join('\n')
}

function passed(lines: readonly ReportLine[], colors: Colors): string[] {
  const ids = lines.filter(({ mark, isBrief }) => mark === 'ok' && isBrief).map(({ id }) => id)
  return ids.length === 0 ? [] : [`${paint('ok', colors)}${colors.dim(ids.join(', '))}`]
}

/** The rules that were not observed, grouped by what would make the checks possible. */
function unobserved(lines: readonly ReportLine[], isShort: boolean, colors: Colors): string[] {
  const groups = unobservedIn(lines, true)
  if (groups.length === 0) return []
  const count = groups.reduce((sum, { ids }) => sum + ids.length, 0)
  const head = paint('not_observed', colors)
  if (isShort) return [`${head}${colors.dim(`${count} rules`)}`]
  const rows = groups.map(({ ids, advice }) => `${INDENT}${ids.join(', ')}: ${colors.dim(advice)}`)
  const isGrouped = lines.some(({ mark, occasion }) => mark === 'not_observed' && occasion !== undefined)
  const more = isGrouped ? [`${INDENT}${colors.dim(MORE)}`] : []
  return [`${head}${count} rules; to observe them:`, ...rows, ...more]
}

function entry({ id, mark, title, seen, why, remedy }: ReportLine, colors: Colors): string {
  const head = `${paint(mark, colors)}${colors.bold(id)}  ${title}`
  if (mark === 'ok') return head
  // Control characters that a client or a receiver sent must not reach the terminal.
  const facts = seen.map((line) => `${INDENT}${colors.dim(line.replace(/\p{Cc}/gu, ' '))}`)
  const advice = [why, remedy].filter((line) => line !== '').map((line) => `${INDENT}${line}`)
  return [head, ...facts, ...advice].join('\n')
}

function paint(mark: Mark, colors: Colors): string {
  const word = mark.replace('_', ' ').padEnd(INDENT.length)
  if (mark === 'ok') return colors.green(word)
  if (mark === 'error') return colors.red(word)
  return mark === 'warning' ? colors.yellow(word) : colors.cyan(word)
}
