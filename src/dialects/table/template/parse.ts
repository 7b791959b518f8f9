import { suggest } from '../../../engine/suggest.js'
import { FILTERS, type FilterName, parametersOf } from './filters.js'

/** A path to a value: its name, and the fields or indexes below it. */
interface ValuePath {
  readonly name: string
  readonly steps: readonly string[]
}

/** A filter and its arguments, as in `times 100`. */
interface FilterCall {
  readonly name: FilterName
  readonly args: readonly string[]
}

/** A constant: one that fits into a placeholder, or an empty list or mapping. */
export type Constant = string | number | boolean | null | readonly [] | Readonly<Record<string, never>>

/** A value or a constant, and the filters that change it. */
export interface Operand {
  readonly value: ValuePath | { readonly constant: Constant }
  readonly filters: readonly FilterCall[]
}

/** The operands of a placeholder, the first of which with a value applies. */
export type Placeholder = readonly Operand[]

/** The parts of a text: constant text, and placeholders. */
export type TextParts = readonly (string | Placeholder)[]

/** Reports a mistake in a template, without its position. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/**
 * Splits a text into constant text and placeholders such as `{{input.prompt or "none"}}`.
 * @throws TemplateError if a placeholder is not valid
 */
export function parseText(text: string): TextParts {
  const parts: (string | Placeholder)[] = []
  let end = 0
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', end)) {
    if (start > end) parts.push(text.slice(end, start))
    const close = closeOf(text, start)
    if (close === -1)
      throw new TemplateError(`the placeholder \`${text.slice(start, start + 40)}\` has no end; add \`}}\``)
    parts.push(parsePlaceholder(text.slice(start + 2, close)))
    end = close + 2
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** Where the `}}` of a placeholder is, which may come after the constant `{}`; -1 if there is none. */
function closeOf(text: string, start: number): number {
  const close = text.indexOf('}}', start)
  return close > start + 2 && text.startsWith('{}}}', close - 1) ? close + 1 : close
}

/** The names of the values in a text. */
export function namesInText(parts: TextParts): string[] {
  const operands = parts.flatMap((part) => (typeof part === 'string' ? [] : part))
  return operands.flatMap(({ value }) => ('name' in value ? [value.name] : []))
}

const TOKEN = /\s*("[^"]*"|'[^']*'|\||[^\s|"']+)/y

function parsePlaceholder(text: string): Placeholder {
  const operands: string[][] = [[]]
  for (const token of tokensOf(text)) {
    if (token === 'or') operands.push([])
    else operands.at(-1)?.push(token)
  }
  return operands.map((tokens) => parseOperand(tokens, text))
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  const trimmed = text.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < trimmed.length) {
    const [, token] = TOKEN.exec(trimmed) ?? []
    if (token === undefined) throw new TemplateError(`a quotation mark is missing in \`{{${text}}}\``)
    tokens.push(token)
  }
  return tokens
}

function parseOperand(tokens: readonly string[], text: string): Operand {
  const [value, ...rest] = tokens
  if (value === undefined || value === '|')
    throw new TemplateError(`a value is missing in \`{{${text}}}\`; expected one such as \`{{id}}\``)
  const calls = rest.join('\0').split('\0|')
  if (rest.length > 0 && rest[0] !== '|')
    throw new TemplateError(`got \`${rest[0]}\` after \`${value}\`; expected \`or\`, \`|\` or \`}}\``)
  return { value: parseValue(value), filters: rest.length === 0 ? [] : calls.map(parseFilter) }
}

function parseFilter(call: string): FilterCall {
  const [name = '', ...args] = call.split('\0').filter((token) => token !== '' && token !== '|')
  if (!Object.hasOwn(FILTERS, name))
    throw new TemplateError(`unknown filter \`${name}\`; ${suggest(name, Object.keys(FILTERS))}`)
  const flaw = flawOfArguments(name as FilterName, args)
  if (flaw !== undefined) throw new TemplateError(`after the filter \`${name}\`, ${flaw}`)
  return { name: name as FilterName, args: args.map(unquoted) }
}

function flawOfArguments(name: FilterName, args: readonly string[]): string | undefined {
  const { parameters, takesMore = false } = parametersOf(name)
  const hasRightNumber = takesMore ? args.length >= parameters.length : args.length === parameters.length
  if (!hasRightNumber) {
    const names = parameters.map((parameter) => `\`${parameter.name}\``).join(' ') || 'none'
    const got = args.map((arg) => `\`${arg}\``).join(' ') || 'nothing'
    return `expected ${takesMore ? 'one or more ' : ''}${names}; got ${got}`
  }
  for (const [index, arg] of args.entries()) {
    const { name: meaning, form } = parameters[index] ?? parameters.at(-1) ?? { name: '' }
    if (form?.pattern.test(unquoted(arg)) === false)
      return `expected ${form.text} as \`${meaning}\`; got \`${arg}\``
  }
  return undefined
}

const PATH = /^[A-Za-z_]\w*(?:\.[\w-]+)*$/

function parseValue(token: string): Operand['value'] {
  if (/^["']/.test(token)) return { constant: unquoted(token) }
  if (token === '[]') return { constant: [] }
  if (token === '{}') return { constant: {} }
  if (token === 'null') return { constant: null }
  if (token === 'true' || token === 'false') return { constant: token === 'true' }
  if (/^-?\d+(?:\.\d+)?$/.test(token)) return { constant: Number(token) }
  const [name = '', ...steps] = token.split('.')
  if (PATH.test(token)) return { name, steps }
  throw new TemplateError(
    `got \`${token}\`; expected a name such as \`id\`, or a path such as \`input.prompt\``,
  )
}

function unquoted(token: string): string {
  return /^["']/.test(token) ? token.slice(1, -1) : token
}
