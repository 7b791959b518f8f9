import type { JsonValue } from '../json.js'
import { type Directive, DirectiveError, parseDirective } from './directive.js'

const OPENING = '[[sim'
/** What merely begins like a directive, such as [[similar]], is none. */
const BEGINNING = /\[\[sim(?=[\s\]])/
/** Of a longer path, whose names a client has made up, only the beginning is told, in characters. */
const LONGEST_FIELD = 200

/** Whether a text may hold a directive: it costs next to nothing, and is true of few texts. */
export function mentionsDirective(text: string): boolean {
  return text.includes(OPENING)
}

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

function inText(text: string, field: string): Directive | undefined {
  const start = text.search(BEGINNING)
  if (start === -1) return undefined
  const end = text.indexOf(']]', start)
  const shown = field.slice(0, LONGEST_FIELD)
  if (end === -1) throw new DirectiveError('The directive has no end: write ]] behind it', shown)
  try {
    return parseDirective(text.slice(start + OPENING.length, end))
  } catch (error) {
    throw error instanceof DirectiveError ? new DirectiveError(error.message, shown) : error
  }
}
