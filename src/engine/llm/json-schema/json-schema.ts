import type { JsonValue } from '../../json.js'
import { asList, type Schema } from './merge.js'

/** The types of JSON Schema. */
export type Type = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

const TYPES: readonly Type[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/** A type that a keyword speaks of, where the schema itself names none. */
const HINTS: readonly (readonly [Type, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'contains']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** The types that a value may have, the simplest first; none where the schema contradicts itself. */
export function typesOf(schema: Schema): Type[] {
  const { type } = schema
  if (type !== undefined) {
    const named = asList(type).slice(0, TYPES.length * 2)
    return TYPES.filter((known) => named.includes(known))
  }
  const hint = HINTS.find(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))
  return [hint?.[0] ?? 'string']
}

/** Whether a value is of a type. */
export function isOfType(value: JsonValue, type: JsonValue): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  // The other names are those of JavaScript's own types.
  return typeof value === type
}
