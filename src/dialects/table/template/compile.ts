import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { Problem } from '../../../exchange/problem.js'
import { applyFilter } from './filters.js'
import {
  type Constant,
  namesInText,
  type Operand,
  type Placeholder,
  parseText,
  type TextParts,
} from './parse.js'

/** Reads a value; undefined if there is none. */
export type Read<Scope> = (scope: Scope) => JsonValue | undefined

/** Values that are found by their name but cannot be listed, such as headers. */
interface Lookup<Scope> {
  /** Reads the value with a name; undefined if there is none. */
  readonly find: (scope: Scope, name: string) => JsonValue | undefined
}

/** The values that placeholders may name. */
export type Values<Scope> = Readonly<Record<string, Read<Scope> | Lookup<Scope>>>

/** The name of a field whose value is a mapping to insert in place of the field. */
export const SPREAD = '...'

/** The name of a field that decides whether its mapping has a value; it is never written. */
export const GUARD = '?'

/**
 * Compiles a template: JSON whose strings, and names of fields, may contain placeholders. A string that is one placeholder
 * becomes its value, of any type. A field or an entry without value is left out, and so is a mapping all of whose fields
 * are left out, or whose field `"?"` is missing, null or false.
 * @throws TemplateError if a placeholder is not valid
 */
export function compileTemplate<Scope>(template: JsonValue, values: Values<Scope>): Read<Scope> {
  if (typeof template === 'string') return compileText(parseText(template), values)
  if (Array.isArray(template)) return compileList(template, values)
  if (isJsonObject(template)) return compileMapping(template, values)
  return () => template
}

/** The names of the values in a template. */
export function namesIn(template: JsonValue): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (inner: JsonValue): void => {
    if (typeof inner === 'string') for (const name of namesInText(parseText(inner))) names.add(name)
    else if (typeof inner === 'object' && inner !== null) {
      if (!Array.isArray(inner)) Object.keys(inner).forEach(visit)
      Object.values(inner).forEach(visit)
    }
  }
  visit(template)
  return names
}

function compileText<Scope>(parts: TextParts, values: Values<Scope>): Read<Scope> {
  const [only] = parts
  if (only === undefined) return () => ''
  const reads = parts.map((part) => (typeof part === 'string' ? () => part : compileOperands(part, values)))
  const [first] = reads
  if (reads.length === 1 && first !== undefined) return first
  return (scope) => {
    let text = ''
    for (const read of reads) {
      const value = read(scope)
      if (value === undefined || value === null) return undefined
      text += typeof value === 'string' ? value : JSON.stringify(value)
      if (text.length > LARGEST) throw tooLarge()
    }
    return text
  }
}

function compileOperands<Scope>(placeholder: Placeholder, values: Values<Scope>): Read<Scope> {
  const reads = placeholder.map((operand) => compileOperand(operand, values))
  const [first] = reads
  if (reads.length === 1 && first !== undefined) return first
  return (scope) => {
    for (const [index, read] of reads.entries()) {
      const value = read(scope)
      const isLast = index === reads.length - 1
      if (isLast || (value !== undefined && value !== null)) return value
    }
    return undefined
  }
}

function compileOperand<Scope>({ value, filters }: Operand, values: Values<Scope>): Read<Scope> {
  const read = compileValue(value, values)
  return filters.reduce<Read<Scope>>(
    (inner, { name, args }) =>
      (scope) => {
        const value = inner(scope)
        return value === undefined || value === null ? value : applyFilter(name, value, args)
      },
    read,
  )
}

function compileValue<Scope>(value: Operand['value'], values: Values<Scope>): Read<Scope> {
  if ('constant' in value) return constantReader(value.constant)
  const { name, steps } = value
  const read = Object.hasOwn(values, name) ? values[name] : undefined
  if (read === undefined) return () => undefined
  if (typeof read === 'object') return (scope) => read.find(scope, steps.join('.'))
  return steps.length === 0 ? read : (scope) => valueBelow(read(scope), steps)
}

/** Each use of an empty list or mapping is a new one, as from any template. */
function constantReader(constant: Constant): () => JsonValue {
  if (typeof constant !== 'object' || constant === null) return () => constant
  return Array.isArray(constant) ? () => [] : () => ({})
}

function valueBelow(value: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  let inner = value
  for (const step of steps) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined
    inner = (inner as JsonObject)[step]
  }
  return inner
}

function compileList<Scope>(template: readonly JsonValue[], values: Values<Scope>): Read<Scope> {
  const reads = template.map((item) => compileTemplate(item, values))
  return (scope) => {
    const list: JsonValue[] = []
    let size = 0
    for (const read of reads) {
      const value = read(scope)
      if (value === undefined) continue
      size = addSize(size, value)
      list.push(value)
    }
    return list
  }
}

function compileMapping<Scope>(template: JsonObject, values: Values<Scope>): Read<Scope> {
  const { [GUARD]: guard, ...rest } = template
  if (guard === undefined) return compileFields(template, values)
  const [isWanted, read] = [compileTemplate(guard, values), compileFields(rest, values)]
  return (scope) => (isTrue(isWanted(scope)) ? read(scope) : undefined)
}

/** Whether the value of a condition is neither missing nor null nor false. */
export function isTrue(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== false
}

function compileFields<Scope>(template: JsonObject, values: Values<Scope>): Read<Scope> {
  const fields = Object.entries(template).map(([name, inner]) => ({
    name: name.includes('{{') ? compileTemplate(name, values) : name,
    read: compileTemplate(inner, values),
  }))
  return (scope) => {
    const mapping: JsonObject = {}
    let isEmpty = fields.length > 0
    let size = 0
    for (const { name, read } of fields) {
      const value = read(scope)
      const field = typeof name === 'string' ? name : name(scope)
      if (value === undefined || typeof field !== 'string') continue
      isEmpty = false
      size = addSize(size + field.length, value)
      if (field === SPREAD) insert(mapping, value)
      else set(mapping, field, value)
    }
    return isEmpty ? undefined : mapping
  }
}

function insert(mapping: JsonObject, value: JsonValue): void {
  if (isJsonObject(value)) for (const name of Object.keys(value)) set(mapping, name, value[name] ?? null)
}

/** Sets a field. An assignment to `__proto__`, which the input of a client may contain, would set the prototype. */
function set(mapping: JsonObject, name: string, value: JsonValue): void {
  if (name !== '__proto__') mapping[name] = value
  else Object.defineProperty(mapping, name, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * In characters: three times the largest input. A template can contain an input any number of times, so that a small file
 * and a small request could otherwise fill the memory.
 */
const LARGEST = 32 * 1024 * 1024

/** The sizes of values that take long to measure, because a template may contain the same one many times. */
const sizes = new WeakMap<object, number>()

/** In characters. A smaller value is measured each time, which costs less than to remember its size. */
const WORTH_REMEMBERING = 4_096

function tooLarge(): Problem {
  return new Problem(
    'internal_error',
    `A template of the dialect would become larger than ${LARGEST / 1024 / 1024} MB with the values of this request or task. Send a smaller input, or use fewer placeholders for it in the dialect file.`,
  )
}

/**
 * The size of a list or mapping with one more value.
 * @throws Problem 500 if it is too large
 */
function addSize(size: number, value: JsonValue): number {
  const sum = size + 1 + (typeof value === 'string' ? value.length : sizeOf(value))
  if (sum > LARGEST) throw tooLarge()
  return sum
}

/** About the number of characters of the JSON of a value. */
function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  const known = sizes.get(value)
  if (known !== undefined) return known
  let size = 0
  if (Array.isArray(value)) for (const item of value) size += 1 + sizeOf(item)
  else for (const name in value) size += 1 + name.length + sizeOf(value[name] as JsonValue)
  if (size > WORTH_REMEMBERING) sizes.set(value, size)
  return size
}
