import type { JsonValue } from '../json.js'
import { DIRECTIVE_START } from '../tasks/input.js'
import { type Directive, DirectiveError, parseDirective } from './directive.js'

/** Excludes other words with the same start, such as [[similar]]. */
const BEGINNING = /\[\[sim(?=[\s\]])/

/** A client chooses the names in the path of a field, so a message shows at most this many characters of it. */
const LONGEST_FIELD = 200

/**
 * Finds the first `[[sim ...]]` in any string of an input.
 * @throws DirectiveError with the field, if the directive is invalid
 */
export function findDirective(input: JsonValue, field = 'input'): Directive | undefined {
  if (typeof input === 'string') return directiveIn(input, field)
  if (typeof input !== 'object' || input === null) return undefined
  for (const [name, inner] of Object.entries(input)) {
    const found = findDirective(inner, `${field}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function directiveIn(text: string, field: string): Directive | undefined {
  const start = text.search(BEGINNING)
  if (start === -1) return undefined
  const end = text.indexOf(']]', start)
  const shortField = field.slice(0, LONGEST_FIELD)
  if (end === -1) throw new DirectiveError('The directive does not end: write ]] after it', shortField)
  try {
    return parseDirective(text.slice(start + DIRECTIVE_START.length, end))
  } catch (error) {
    throw error instanceof DirectiveError ? new DirectiveError(error.message, shortField) : error
  }
}
