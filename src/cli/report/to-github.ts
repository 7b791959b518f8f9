import { type Report, type ReportLine, unobservedIn } from './report.js'

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const

/**
 * Formats a report as annotations of GitHub Actions. It omits the checks that passed. One annotation has all rules that
 * were not observed, because GitHub shows only ten of a step.
 */
export function toGithub({ name, lines, failures }: Report): string {
  const annotations = lines.flatMap((line) => annotation(name, line))
  const unobserved = unobservedIn(lines).map(({ ids, advice }) => `${ids.join(', ')}: ${advice}`)
  if (unobserved.length > 0) annotations.push(command('notice', `${name}: not observed`, unobserved))
  return [...annotations, ...failures.map((failure) => `${name} failed: ${failure}`), ''].join('\n')
}

function annotation(name: string, { mark, id, title, seen, why, remedy }: ReportLine): string[] {
  if (!(mark in COMMANDS)) return []
  const text = [title, ...seen, why, remedy].filter((line) => line !== '')
  return [command(COMMANDS[mark as keyof typeof COMMANDS], `${name}: ${id}`, text)]
}

function command(word: string, title: string, lines: readonly string[]): string {
  return `::${word} title=${property(title)}::${data(lines.join('\n'))}`
}

/** Escapes the characters that end a message. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
