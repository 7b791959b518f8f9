import type { Placeholder, TextParts } from '../table/template/parse.js'

/**
 * Splits a text such as `owner/name` as the template `{{path.owner}}/{{path.name}}` joins it.
 * @returns the placeholders and their values; nothing if the text does not match
 */
export function splitText(parts: TextParts, text: string): [placeholder: Placeholder, value: string][] {
  const source = parts.map((part) =>
    typeof part === 'string' ? part.replace(/[^\w\s]/g, '\\$&') : '([^]+?)',
  )
  const [, ...found] = new RegExp(`^${source.join('')}$`).exec(text) ?? []
  const placeholders = parts.filter((part) => typeof part !== 'string')
  return found.map((value, index) => [placeholders[index] ?? [], value])
}
