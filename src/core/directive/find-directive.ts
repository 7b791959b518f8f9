import type { JsonValue } from '../json.js'
import { type Directive, DirectiveError, parseDirective } from './directive.js'

const OPENING = '[[sim'

/**
 * Finds the `[[sim ...]]` in any text of an input; where there are several, the first one counts.
 * @throws DirectiveError which names the field, where it cannot be followed
 */
export function findDirective(input: JsonValue, field = 'input'): Directive | undefined {
  if (typeof input === 'string') return inText(input, field)
  if (typeof input !== 'object' || input === null) return undefined
  for (const [name, inner] of Object.entries(input)) {
    const found = findDirective(inner, `${field}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Where the first directive begins; what merely begins like one, such as [[similar]], is none. */
function openingIn(text: string): number {
  let start = text.indexOf(OPENING)
  while (start !== -1 && !/[\s\]]/.test(text.charAt(start + OPENING.length))) {
    start = text.indexOf(OPENING, start + 1)
  }
  return start
}

function inText(text: string, field: string): Directive | undefined {
  const start = openingIn(text)
  if (start === -1) return undefined
  const end = text.indexOf(']]', start)
  if (end === -1) throw new DirectiveError('The directive has no end: write ]] behind it', field)
  try {
    return parseDirective(text.slice(start + OPENING.length, end))
  } catch (error) {
    throw error instanceof DirectiveError ? new DirectiveError(error.message, field) : error
  }
}
