import type { YAMLError } from 'yaml'
import { MOST_LEVELS } from '../check/limits.js'

/** Says in plain words why a text is no YAML, without repeating the text: it may be a file of another kind. */
export function syntaxMistake({ code, message, pos: [offset] }: YAMLError, text: string): string {
  const character = text.charAt(offset)
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'a scenario is one YAML document: leave out the line `---` or `...` and all that follows it'
    case 'BAD_ALIAS':
      return quoteStar('')
    case 'BAD_SCALAR_START':
      return `text that begins with \`${character}\` must be in quotes`
    case 'BAD_DQ_ESCAPE':
      return 'the backslash begins no escape that YAML knows: use single quotes, or write \\\\ for a backslash'
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent a line: use spaces'
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'a value with another `:` in it: put text that contains a colon in quotes, or check the indentation of the next line'
    case 'MULTILINE_IMPLICIT_KEY':
      return 'expected a `:` after the name of a field'
    case 'BLOCK_IN_FLOW':
      return 'expected a `,` between two entries, or the end of the list or mapping in brackets'
    case 'BAD_DIRECTIVE':
      return 'a line that begins with `%` is no setting of a scenario: leave it out'
    case 'RESOURCE_EXHAUSTION':
      return `it is nested more than ${MOST_LEVELS} levels deep; write it flatter`
    case 'MISSING_CHAR':
    case 'BAD_INDENT':
      return missing(message)
    default:
      return unexpected(character)
  }
}

/**
 * The advice for text that YAML takes for an alias.
 * @param name the text after the star
 */
export function quoteStar(name: string): string {
  return `text that begins with \`*\` must be in quotes: "*${name.slice(0, 100) || '/video'}"; YAML takes it for an alias`
}

function missing(message: string): string {
  if (message.includes('quote')) return 'a closing quote is missing'
  if (message.includes('end with a')) return `a closing \`${message.slice(-1)}\` is missing`
  if (message.includes('same column'))
    return 'fields of the same mapping, and entries of the same list, must begin in the same column'
  if (message.includes('followed by map values'))
    return 'expected a `:` and a value after the name of a field'
  if (message.includes('Missing ,')) return 'expected a `,` between two entries'
  return unexpected('')
}

function unexpected(character: string): string {
  const subject = /^[{}[\],:&!|>?-]$/.test(character) ? `\`${character}\`` : 'this text'
  return `${subject} is not expected here: check the indentation and the brackets before it, and put text with special characters in quotes`
}
