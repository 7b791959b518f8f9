import type { createColors } from 'picocolors'
import { countOf, type Mark, type Report, type ReportLine } from './report.js'

type Colors = ReturnType<typeof createColors>

const INDENT = ' '.repeat(14)

/** Formats a report as text: one line for checks that passed, reasons and remedies for the others. */
export function toText({ name, subject, lines, isUnused = false, failures }: Report, colors: Colors): string {
  return [
    `${colors.bold(name)} ${subject}`,
    '',
    ...lines.filter(({ isBrief }) => !isBrief).map((line) => entry(line, colors)),
    ...summary(lines, 'ok', colors),
    ...summary(lines, 'not_observed', colors, isUnused),
    '',
    countOf(lines),
    ...failures.map((failure) => colors.red(`Failed: ${failure}`)),
    '',
  ].join('\n')
}

function summary(lines: readonly ReportLine[], mark: Mark, colors: Colors, isShort = false): string[] {
  const ids = lines.filter((line) => line.mark === mark && line.isBrief).map(({ id }) => id)
  return ids.length === 0
    ? []
    : [`${paint(mark, colors)}${colors.dim(isShort ? `${ids.length} rules` : ids.join(', '))}`]
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
