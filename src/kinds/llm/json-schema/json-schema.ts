import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'

/** A JSON Schema that is an object. `true` and `false` are schemas too. */
export type JsonSchema = JsonObject

/** Returns a list unchanged, a missing value as an empty list, and any other value as a list of one. */
export function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** The cost of work with a schema: its keywords and their entries. */
export function sizeOf(schema: JsonSchema): number {
  let size = 1
  for (const value of Object.values(schema))
    size += typeof value === 'object' && value !== null ? 1 + Object.keys(value).length : 1
  return size
}

/** Merges two schemas. It combines `properties` and `required`; the second schema overrides other keywords. */
export function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  const merged = { ...one, ...other }
  if (isJsonObject(one['properties']) && isJsonObject(other['properties']))
    merged['properties'] = mergeProperties(one['properties'], other['properties'])
  if (one['required'] !== undefined && other['required'] !== undefined)
    merged['required'] = [...listIn(one['required']), ...listIn(other['required'])]
  return merged
}

function mergeProperties(one: JsonObject, other: JsonObject): JsonObject {
  const merged = new Map(Object.entries(one))
  for (const [name, schema] of Object.entries(other)) {
    const existing = merged.get(name)
    merged.set(name, existing === undefined ? schema : { allOf: [existing, schema] })
  }
  return Object.fromEntries(merged)
}

const LONGEST_POINTER = 200

/** Follows a reference within the schema. Returns `true`, which accepts any value, for any other reference. */
export function resolvePointer(root: JsonValue, reference: string): JsonValue {
  if (reference.length > LONGEST_POINTER || !/^#(?:\/|$)/.test(reference)) return true
  let value: JsonValue | undefined = root
  for (const step of reference.split('/').slice(1)) {
    const name = unescapeStep(step)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return true
    value = (value as JsonObject)[name]
  }
  return value ?? true
}

function unescapeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

/** The maximum size of a generated value, in characters, and of the schema parts that it needs. */
const MAX_SIZE = 100_000

/** Limits the work of one sample. Every step that a schema can repeat must spend from it. */
export class Budget {
  #left = MAX_SIZE

  /** Spends an amount. Returns false if the budget does not cover it. */
  spend(amount: number): boolean {
    this.#left -= amount
    return this.#left >= 0
  }
}
