import type { ObservedRun } from './run.js'

/** The number of lines that a report shows of a run. */
const MAX_LINES = 20
const LONGEST_LINE = 200

/** The lines that a run has printed more often than the baseline. Ids, times, URLs and numbers do not matter. */
export function printedLines(run: ObservedRun, baseline: ObservedRun): string[] {
  const left = new Map<string, number>()
  for (const line of baseline.output.map((line) => normalized(line, baseline)))
    left.set(line, (left.get(line) ?? 0) + 1)
  const extra = run.output.filter((line) => {
    const key = normalized(line, run)
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0 && key !== ''
  })
  return extra.slice(0, MAX_LINES).map((line) => plain(line).slice(0, LONGEST_LINE))
}

function normalized(line: string, { facts }: ObservedRun): string {
  const withoutIds = facts.tasks.reduce((text, { id }) => text.replaceAll(id, '0'), plain(line))
  return withoutIds
    .replace(/https?:\/\/[^\s"'<>)\]]+/g, '0')
    .replace(/[\w.:+-]*\d[\w.:+-]*/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A line without colors and other controls of a terminal. */
function plain(line: string): string {
  return line.replace(COLORS, '').replace(/\p{Cc}+/gu, ' ')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with the control character Escape
const COLORS = /\u001b\[[\d;?]*[A-Za-z]/g
