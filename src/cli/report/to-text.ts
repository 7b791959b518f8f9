import type { createColors } from 'picocolors'
import { countOf, type Mark, type Report, type ReportLine, unobservedIn } from './report.js'

type Colors = ReturnType<typeof createColors>

const INDENT = ' '.repeat(14)
const MORE = 'Advice for each rule: --format markdown or json, or the page "Provoke each finding".'

/** Formats a report as text: one line for checks that passed, reasons and remedies for the others. */
export function toText(
  { name, subject, note, lines, isUnused = false, failures }: Report,
  colors: Colors,
): string {
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
