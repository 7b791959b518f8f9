import type { Report, ReportLine } from './report.js'

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const

/** Formats a report as annotations of GitHub Actions. It omits the checks that passed. */
export function toGithub({ name, lines, failures }: Report): string {
  const annotations = lines.flatMap((line) => annotation(name, line))
  return [...annotations, ...failures.map((failure) => `${name} failed: ${failure}`), ''].join('\n')
}

function annotation(name: string, { mark, id, title, seen, why, remedy }: ReportLine): string[] {
  if (!(mark in COMMANDS)) return []
  const text = [title, ...seen, why, remedy].filter((line) => line !== '').join('\n')
  const command = COMMANDS[mark as keyof typeof COMMANDS]
  return [`::${command} title=${property(`${name}: ${id}`)}::${data(text)}`]
}

/** Escapes the characters that end a message. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
