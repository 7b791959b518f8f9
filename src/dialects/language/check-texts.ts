import type { Flaw } from '../../scenario/check/check.js'
import { isMapping } from '../../scenario/mapping.js'
import { parseText, TemplateError } from '../table/template/parse.js'

/** The fields whose texts are never taken for templates. */
const PLAIN = ['title', 'help']

/**
 * Finds texts that are not templates, but contain an invalid placeholder. A
 * dialect that was not read from a file is loaded without its schema, which knows which texts are templates.
 */
export function flawsOfTexts(dialect: unknown): Flaw[] {
  if (!isMapping(dialect)) return []
  return Object.entries(dialect).flatMap(([name, value]) =>
    PLAIN.includes(name) ? [] : flawsIn(value, [name]),
  )
}

function flawsIn(value: unknown, path: readonly PropertyKey[]): Flaw[] {
  if (typeof value === 'string') return flawOf(value, path, false)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    return [...flawOf(key, at, true), ...flawsIn(inner, at)]
  })
}

function flawOf(text: string, path: readonly PropertyKey[], atKey: boolean): Flaw[] {
  try {
    parseText(text)
    return []
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return [{ path, atKey, message: `${error.message}; write this text without \`{{\`` }]
  }
}
