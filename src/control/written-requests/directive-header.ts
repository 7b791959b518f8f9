import { DirectiveError, parseDirective } from '../../engine/directive/directive.js'
import { writeDirective } from '../../engine/directive/write-directive.js'
import { Problem } from '../../http/exchange/problem.js'
import type { NewRequest } from '../shapes.js'

/** What a header can hold in every client. */
const PRINTABLE = /^[\x20-\x7e]*$/

/**
 * Writes directives as the value of `X-Sim`; undefined if there are none.
 * @throws Problem 400 if a directive is not valid
 */
export function directiveHeader(directives: NewRequest['directives'] = {}): string | undefined {
  const header = writeDirective(directives)
  if (header === '') return undefined
  const flaw = flawOf(header)
  if (flaw !== undefined) throw new Problem('invalid_request', `${flaw}.`, { param: 'directives' })
  return header
}

function flawOf(header: string): string | undefined {
  if (!PRINTABLE.test(header))
    return 'A directive is sent in a header, so it must consist of printable ASCII characters'
  try {
    parseDirective(header)
    return undefined
  } catch (error) {
    if (error instanceof DirectiveError) return error.message
    throw error
  }
}
