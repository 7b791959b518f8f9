import { type Placeholder, parseText, type TextParts } from './parse.js'

/**
 * Returns a function that finds the values of a template in a text that was written with it.
 * @param template such as `t={{time}},v1={{signature}}`
 * @returns a function whose result is undefined if the text has another form
 */
export function templateReader(template: string): (text: string) => ReadonlyMap<string, string> | undefined {
  const names: string[] = []
  const source = parseText(template).map((part) => {
    if (typeof part === 'string') return part.replace(/[^\w\s]/g, '\\$&')
    const [operand] = part
    names.push(operand !== undefined && 'name' in operand.value ? operand.value.name : '')
    return '(.*?)'
  })
  const pattern = new RegExp(`^${source.join('')}$`, 's')
  return (text) => {
    const [, ...values] = pattern.exec(text) ?? []
    return values.length === names.length
      ? new Map(names.map((name, i) => [name, values[i] ?? '']))
      : undefined
  }
}

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
