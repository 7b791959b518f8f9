import type { createColors } from 'picocolors'
import { countOf, type Judged, type Judgement, type Mark } from './judged.js'

type Colors = ReturnType<typeof createColors>

const INDENT = ' '.repeat(14)

/** A judgement for a person: what is well in a line, what is not with its reason and its remedy. */
export function asText(
  { name, subject, judged, isUnused = false, failures }: Judgement,
  colors: Colors,
): string {
  return [
    `${colors.bold(name)} ${subject}`,
    '',
    ...judged.filter(({ isBrief }) => !isBrief).map((one) => entry(one, colors)),
    ...summary(judged, 'ok', colors),
    ...summary(judged, 'not_observed', colors, isUnused),
    '',
    countOf(judged),
    ...failures.map((failure) => colors.red(`Failed: ${failure}`)),
    '',
  ].join('\n')
}

function summary(judged: readonly Judged[], mark: Mark, colors: Colors, isShort = false): string[] {
  const ids = judged.filter((one) => one.mark === mark && one.isBrief).map(({ id }) => id)
  return ids.length === 0
    ? []
    : [`${paint(mark, colors)}${colors.dim(isShort ? `${ids.length} rules` : ids.join(', '))}`]
}

function entry({ id, mark, title, seen, why, remedy }: Judged, colors: Colors): string {
  const head = `${paint(mark, colors)}${colors.bold(id)}  ${title}`
  if (mark === 'ok') return head
  // What somebody has sent must not reach the terminal as it is.
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
