import { isSupportedInstant } from '../engine/clock/instants.js'
import { excerptOf, isJsonObject, type JsonObject, type JsonValue } from '../engine/json.js'

/** Why an entry of a history or a recording cannot be read. */
export class EntryError extends Error {
  override readonly name = 'EntryError'
}

const LONGEST_SHOWN = 80

/** The start of a value, for a message. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : excerptOf(value as JsonValue, LONGEST_SHOWN)
}

/** Reads a value at a path. @throws EntryError with the path, the value and what was expected */
export type Read<Value> = (value: JsonValue | undefined, path: string) => Value

/** Returns a reader for values that pass a test. */
function readerOf<Value extends JsonValue>(
  expected: string,
  test: (value: JsonValue | undefined) => value is Value,
): Read<Value> {
  return (value, path) => {
    if (test(value)) return value
    throw flaw(path, expected, value)
  }
}

/** Returns the error for a value. */
export function flaw(path: string, expected: string, value: JsonValue | undefined): EntryError {
  return new EntryError(`${path === '' ? '' : `${path}: `}expected ${expected}, got ${shown(value)}`)
}

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string'

/** Any string. */
export const anyText: Read<string> = readerOf('a string', isText)

/** Returns a reader for strings with a form. */
export function textOf(expected: string, isForm: (text: string) => boolean): Read<string> {
  return readerOf(expected, (value): value is string => isText(value) && isForm(value))
}

/** Reads an instant in a text. @returns undefined if it is none, or not in the years 1 to 9999 */
export function readInstantText(text: string): number | undefined {
  const at = Date.parse(text)
  return isSupportedInstant(at) ? at : undefined
}

/** The text of an instant. */
export const time = textOf(
  'a time such as "2026-11-22T10:00:00.000Z"',
  (text) => readInstantText(text) !== undefined,
)

/** Returns a reader for numbers with a property. */
export function numberOf(expected: string, isForm: (value: number) => boolean): Read<number> {
  return readerOf(expected, (value): value is number => typeof value === 'number' && isForm(value))
}

/** Returns a reader for one constant. */
export function only<Constant extends string | boolean>(constant: Constant): Read<Constant> {
  return readerOf(JSON.stringify(constant), (value): value is Constant => value === constant)
}

/** Returns a reader that also accepts a missing value. */
export function optional<Value>(read: Read<Value>): Read<Value | undefined> {
  return (value, path) => (value === undefined ? undefined : read(value, path))
}

/** Returns a reader that accepts a missing value, or null in its place. */
export function unlessNull<Value>(read: Read<Value>): Read<Value | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : read(value, path))
}

/** Returns a reader for lists. */
export function listOf<Item>(read: Read<Item>): Read<readonly Item[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw flaw(path, 'a list', value)
    return value.map((item, index) => read(item, `${path}[${index}]`))
  }
}

type Reads = Readonly<Record<string, Read<unknown>>>
type OptionalNames<Fields extends Reads> = {
  [Name in keyof Fields]: undefined extends ReturnType<Fields[Name]> ? Name : never
}[keyof Fields]
type Result<Fields extends Reads> = {
  readonly [Name in Exclude<keyof Fields, OptionalNames<Fields>>]: ReturnType<Fields[Name]>
} & { readonly [Name in OptionalNames<Fields>]?: ReturnType<Fields[Name]> }

/** Returns a reader for objects. It ignores unknown fields. */
export function objectOf<Fields extends Reads>(fields: Fields): Read<Result<Fields>> {
  const reads = Object.entries(fields)
  return (value, path) => {
    const object = anyObject(value, path)
    const entries = reads.flatMap(([name, read]) => {
      const result = read(fieldOf(object, name), path === '' ? name : `${path}.${name}`)
      return result === undefined ? [] : [[name, result]]
    })
    return Object.fromEntries(entries) as Result<Fields>
  }
}

/** An object with any fields. */
export const anyObject: Read<JsonObject> = readerOf(
  'an object',
  (value): value is JsonObject => value !== undefined && isJsonObject(value),
)

/** Returns a reader for objects whose fields have any name. */
export function mappingOf<Value>(read: Read<Value>): Read<Readonly<Record<string, Value>>> {
  return (value, path) => {
    const entries = Object.entries(anyObject(value, path))
    return Object.fromEntries(entries.map(([name, inner]) => [name, read(inner, `${path}.${name}`)]))
  }
}

function fieldOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
