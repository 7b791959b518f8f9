import { isJsonObject, type JsonObject, type JsonValue } from '../engine/json.js'
import type { FieldPath } from './has-path.js'

/** The paths of the values in mappings of mappings, without the mappings that `isOptional` selects. */
export function leafPaths(
  mapping: JsonObject,
  isOptional: (mapping: JsonObject) => boolean,
  before: FieldPath = [],
): readonly FieldPath[] {
  return Object.entries(mapping).flatMap(([field, value]: [string, JsonValue]) => {
    const path = [...before, field]
    if (!isJsonObject(value)) return [path]
    return isOptional(value) ? [] : leafPaths(value, isOptional, path)
  })
}
