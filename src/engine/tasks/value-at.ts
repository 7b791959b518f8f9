import type { JsonObject, JsonValue } from '../json.js'

/**
 * The value of a field, or the value at a path of names and indexes separated by dots. Ignores inherited properties.
 */
export function valueAt(input: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(input, path)) return input[path]
  let value: JsonValue | undefined = input
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as JsonObject)[name]
  }
  return value
}
