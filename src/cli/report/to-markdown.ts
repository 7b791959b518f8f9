import { countOf, type Mark, type Report, type ReportLine, unobservedIn } from './report.js'

const ICONS: Readonly<Partial<Record<Mark, string>>> = {
  error: '❌ error',
  warning: '⚠️ warning',
  note: 'ℹ️ note',
}

/** The characters that have a meaning in Markdown or HTML, and those that turn a URL or an address into a link. */
const ACTIVE = /[\\`*_[\]<>|~&@]|:(?=\/\/)/g

/**
 * Formats a report as Markdown, such as the job summary of GitHub Actions: the counts, and a table of the checks that
 * did not pass.
 */
export function toMarkdown({ name, subject, note, lines, failures }: Report): string {
  const rows = lines.filter(({ mark }) => mark in ICONS).map(row)
  return [
    `### ${escaped(name)}: ${failures.length === 0 ? 'passed' : 'failed'}`,
    '',
    escaped(subject),
    '',
    ...(note === undefined ? [] : [escaped(note), '']),
    ...(rows.length === 0
      ? []
      : ['| severity | rule | where | remedy |', '| --- | --- | --- | --- |', ...rows, '']),
    `${countOf(lines)}.`,
    ...unobserved(lines),
    ...failures.map((failure) => `\n**Failed:** ${escaped(failure)}`),
    '',
  ].join('\n')
}

function row({ mark, id, title, seen, why, remedy }: ReportLine): string {
  const cells = [
    ICONS[mark] ?? mark,
    `${code(id)}<br>${escaped(title)}`,
    seen.map(escaped).join('<br>'),
    [remedy, why]
      .filter((text) => text !== '')
      .map(escaped)
      .join('<br>'),
  ]
  return `| ${cells.join(' | ')} |`
}

/** A folded table of the rules that were not observed. */
function unobserved(lines: readonly ReportLine[]): string[] {
  const groups = unobservedIn(lines)
  if (groups.length === 0) return []
  const rows = groups.map(({ ids, advice }) => `| ${ids.map(code).join(', ')} | ${escaped(advice)} |`)
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

/** Escapes observed text, in which a client or a receiver could otherwise hide a link, a picture or a table row. */
function escaped(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(ACTIVE, (character) => `&#${character.codePointAt(0)};`)
}
