import type { PlacedMistake } from './json-flaw.js'

/** A mistake in a scenario, as the API reports it. */
export interface Mistake extends PlacedMistake {
  readonly path: string
}

/** The mistakes in the details of an error. */
export function mistakesIn(details: Readonly<Record<string, unknown>>): Mistake[] {
  const { mistakes } = details
  return Array.isArray(mistakes)
    ? mistakes.filter((mistake) => typeof Object(mistake).message === 'string')
    : []
}

/** The text of a shipped scenario without its schema and its checks, which matter only where it is maintained. */
export function shownText(text: string): string {
  return text
    .replace(/^# yaml-language-server:.*\n/m, '')
    .replace(/^expect:.*\n(?:(?:[ #-].*)?\n)*/m, '')
    .trimEnd()
    .concat('\n')
}

/** The name of a scenario without its folders; a scenario that was applied as text has none. */
export function fileName(name: string): string {
  return name === 'inline' ? 'custom' : (name.split(/[\\/]/).at(-1) ?? name)
}
