import type { Judged, Judgement } from './judged.js'

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const

/** A judgement as annotations of GitHub Actions; what is well is not shown. */
export function asGithub({ name, judged, failures }: Judgement): string {
  const lines = judged.flatMap((one) => annotation(name, one))
  return [...lines, ...failures.map((failure) => `${name} failed: ${failure}`), ''].join('\n')
}

function annotation(name: string, { mark, id, title, seen, why, remedy }: Judged): string[] {
  if (!(mark in COMMANDS)) return []
  const text = [title, ...seen, why, remedy].filter((line) => line !== '').join('\n')
  const command = COMMANDS[mark as keyof typeof COMMANDS]
  return [`::${command} title=${property(`${name}: ${id}`)}::${data(text)}`]
}

/** How the runner wants what it would take for the end of a message. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
