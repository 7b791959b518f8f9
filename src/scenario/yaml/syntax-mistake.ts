import type { YAMLError } from 'yaml'
import { MAX_LEVELS } from '../check/limits.js'

/** Explains why a text is not YAML. It does not quote the text, which may be a file of another kind. */
export function syntaxMistake(
  { code, message, pos: [offset] }: YAMLError,
  text: string,
  noun: string,
): string {
  const character = text.charAt(offset)
  switch (code) {
    case 'MULTIPLE_DOCS':
      return `a ${noun} is one YAML document: remove the line \`---\` or \`...\` and everything after it`
    case 'BAD_ALIAS':
      return quoteStar('')
    case 'BAD_SCALAR_START':
      return `a text that starts with \`${character}\` must be in quotes`
    case 'BAD_DQ_ESCAPE':
      return 'YAML does not know this escape sequence: use single quotes, or write \\\\ for a backslash'
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent a line: use spaces'
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'the value has a second `:`: put a text with a colon in quotes, or check the indentation of the next line'
    case 'MULTILINE_IMPLICIT_KEY':
      return 'expected a `:` after the field name'
    case 'BLOCK_IN_FLOW':
      return 'expected a `,` between two entries, or the end of the list or mapping in brackets'
    case 'BAD_DIRECTIVE':
      return `a line that starts with \`%\` is not part of a ${noun}: remove it`
    case 'RESOURCE_EXHAUSTION':
      return `the nesting is deeper than ${MAX_LEVELS} levels; reduce it`
    case 'MISSING_CHAR':
    case 'BAD_INDENT':
      return missing(message)
    default:
      return unexpected(character)
  }
}

/**
 * The message for a text that YAML reads as an alias.
 * @param name the text after `*`
 */
export function quoteStar(name: string): string {
  return `a text that starts with \`*\` must be in quotes: "*${name.slice(0, 100) || '/video'}"; YAML reads it as an alias`
}

function missing(message: string): string {
  if (message.includes('quote')) return 'a closing quote is missing'
  if (message.includes('end with a')) return `a closing \`${message.slice(-1)}\` is missing`
  if (message.includes('same column'))
    return 'fields of the same mapping, and entries of the same list, must start in the same column'
  if (message.includes('followed by map values')) return 'expected a `:` and a value after the field name'
  if (message.includes('Missing ,')) return 'expected a `,` between two entries'
  return unexpected('')
}

function unexpected(character: string): string {
  const subject = /^[{}[\],:&!|>?-]$/.test(character) ? `\`${character}\`` : 'text'
  return `unexpected ${subject}: check the indentation and the brackets before it, and put a text with special characters in quotes`
}
