import { escapedMarkdown } from '../../inspect/escaped-text.js'
import { countOf, type Mark, type Report, type ReportLine, unobservedIn } from './report.js'

const ICONS: Readonly<Partial<Record<Mark, string>>> = {
  error: '❌ error',
  warning: '⚠️ warning',
  note: 'ℹ️ note',
}

/**
 * Formats a report as Markdown, such as the job summary of GitHub Actions: the counts, and a table of the checks that
 * did not pass.
 */
export function toMarkdown({ name, subject, note, lines, failures }: Report): string {
  const rows = lines.filter(({ mark }) => mark in ICONS).map(row)
  return [
    `### ${escapedMarkdown(name)}: ${failures.length === 0 ? 'passed' : 'failed'}`,
    '',
    escapedMarkdown(subject),
    '',
    ...(note === undefined ? [] : [escapedMarkdown(note), '']),
    ...(rows.length === 0
      ? []
      : ['| severity | rule | where | remedy |', '| --- | --- | --- | --- |', ...rows, '']),
    `${countOf(lines)}.`,
    ...unobserved(lines),
    ...failures.map((failure) => `\n**Failed:** ${escapedMarkdown(failure)}`),
    '',
  ].join('\n')
}

function row({ mark, id, title, seen, why, remedy }: ReportLine): string {
  const cells = [
    ICONS[mark] ?? mark,
    `${code(id)}<br>${escapedMarkdown(title)}`,
    seen.map(escapedMarkdown).join('<br>'),
    [remedy, why]
      .filter((text) => text !== '')
      .map(escapedMarkdown)
      .join('<br>'),
  ]
  return `| ${cells.join(' | ')} |`
}

/** A folded table of the rules that were not observed. */
function unobserved(lines: readonly ReportLine[]): string[] {
  const groups = unobservedIn(lines)
  if (groups.length === 0) return []
  const rows = groups.map(({ ids, advice }) => `| ${ids.map(code).join(', ')} | ${escapedMarkdown(advice)} |`)
  return [
    '',
    '<details><summary>Not observed</summary>',
    '',
    '| rule | to observe it |',
    '| --- | --- |',
    ...rows,
    '',
    '</details>',
  ]
}

/** The ids of rules contain only letters and dashes, so that they need no escape. */
function code(id: string): string {
  return `\`${id}\``
}
