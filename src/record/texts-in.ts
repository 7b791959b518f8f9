import type { JsonValue } from '../engine/json.js'

/** All texts in a value, without the names of fields. */
export function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
