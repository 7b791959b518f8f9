import { contextAt } from './yaml-context.js'

const STEP = 2

/** The spaces with which a new line after a position begins. */
export function indentAfter(text: string, cursor: number): string {
  const before = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor)
  const [, dashes = ''] = /^( *(?:- +)*)/.exec(before) ?? []
  const isInText = contextAt(text, cursor) === undefined
  const opens = !isInText && dashes !== before && /(?::|[:-]\s+[|>][+-]?|[[{]|(?:^|\s)-)\s*$/.test(before)
  return ' '.repeat(dashes.length + (opens ? STEP : 0))
}
