import { parseText } from './parse.js'

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
