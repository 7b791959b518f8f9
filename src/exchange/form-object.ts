import type { JsonObject, JsonValue } from '../engine/json.js'

/** A field of a form: its name, and its value. */
export type FormField = readonly [name: string, value: JsonValue]

/**
 * The JSON object that a form stands for: a name such as `size[width]` is a field of a mapping, and one such as `tags[]`
 * an item of a list.
 */
export function objectOfForm(fields: readonly FormField[]): JsonObject {
  return mappingOf(fields.map(([name, value]) => ({ path: pathOfField(name), value })))
}

/** The names of the fields that lead to the value of a field; an empty name is the next item of a list. */
export function pathOfField(name: string): string[] {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]*\]){1,4})$/.exec(name) ?? []
  return first === undefined || rest === undefined ? [name] : [first, ...rest.slice(1, -1).split('][')]
}

interface Entry {
  readonly path: readonly string[]
  readonly value: JsonValue
}

function mappingOf(entries: readonly Entry[]): JsonObject {
  const names = [...new Set(entries.map(({ path: [name = ''] }) => name))]
  return Object.fromEntries(names.map((name) => [name, valueBelow(entriesBelow(entries, name))]))
}

function entriesBelow(entries: readonly Entry[], name: string): Entry[] {
  return entries
    .filter(({ path }) => path[0] === name)
    .map(({ path, value }) => ({ path: path.slice(1), value }))
}

/** The value of entries below the same field. Of several plain values, the last one applies. */
function valueBelow(entries: readonly Entry[]): JsonValue {
  const plain = entries.findLast(({ path }) => path.length === 0)
  if (plain !== undefined) return plain.value
  const isList = entries.every(({ path: [name] }) => name === '')
  return isList
    ? entries.map(({ path, value }) => valueBelow([{ path: path.slice(1), value }]))
    : mappingOf(entries)
}
