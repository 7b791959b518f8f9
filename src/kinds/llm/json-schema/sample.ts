import type { Faker } from '@faker-js/faker'
import { canonicalJson, isJsonObject, type JsonValue } from '../../../engine/json.js'
import type { Random } from '../../../engine/random.js'
import { Budget } from './budget.js'
import { type JsonSchema, listIn, mergeSchemas, resolvePointer, sizeOf } from './json-schema.js'
import { sampleText } from './sample-text.js'

/** The sources of random values and texts. */
export interface SampleContext {
  readonly random: Random
  /** Must draw from the same stream. */
  readonly faker: Faker
}

/** From this depth on, objects have required fields only, arrays are minimal, and the simplest branch applies. */
const MINIMAL_DEPTH = 4
const LARGEST_DEPTH = 100
const EXTRA_ITEMS = 3
const MAX_BRANCHES = 100

/** How often a unique item may repeat an earlier one before the array ends. */
const MAX_REPEATS = 12

/**
 * Generates a value for the JSON Schema of a tool's arguments: types, enums, constants, bounds, formats, patterns,
 * `allOf`, `anyOf`, `oneOf` and local references. It ignores other keywords. Clients supply the schema, so a budget
 * limits the work and the size of the value; the value may not match a schema that exceeds it.
 */
export function sample(schema: JsonValue, context: SampleContext): JsonValue {
  return new Sampler(schema, context).value(schema, 0)
}

class Sampler {
  readonly #root: JsonValue
  readonly #context: SampleContext
  readonly #budget = new Budget()

  constructor(root: JsonValue, context: SampleContext) {
    this.#root = root
    this.#context = context
  }

  value(schema: JsonValue, depth: number): JsonValue {
    if (depth > LARGEST_DEPTH || !this.#budget.spend(1)) return null
    const flat = this.#flatten(schema, depth)
    if (flat === undefined) return null
    if (flat['const'] !== undefined) return this.#literal(flat['const'])
    const types = typesOf(flat)
    if (Array.isArray(flat['enum'])) {
      const hasType = flat['type'] !== undefined
      return this.#literal(
        this.#pick(flat['enum'].filter((word) => !hasType || isOfTypes(word, types))) ?? null,
      )
    }
    const type = depth < MINIMAL_DEPTH ? this.#pick(types) : types[0]
    return type === undefined ? null : this.#ofType(type, flat, depth)
  }

  /** Resolves references, `allOf`, and one branch of each `anyOf` and `oneOf`. Returns undefined for `false`. */
  #flatten(schema: JsonValue, depth: number): JsonSchema | undefined {
    // The set skips a repeated part, which ends circular references.
    const parts = new Set<JsonValue>([schema])
    let flat: JsonSchema = {}
    for (const part of parts) {
      if (part === false) return undefined
      if (!isJsonObject(part)) continue
      if (!this.#budget.spend(sizeOf(part) + sizeOf(flat))) break
      const { $ref, $defs, definitions, allOf, anyOf, oneOf, ...own } = part
      if (typeof $ref === 'string') parts.add(resolvePointer(this.#root, $ref))
      for (const inner of listIn(allOf)) parts.add(inner)
      for (const branches of [anyOf, oneOf])
        if (Array.isArray(branches) && branches.length > 0) parts.add(this.#branch(branches, depth))
      flat = mergeSchemas(flat, own)
    }
    return flat
  }

  #branch(branches: readonly JsonValue[], depth: number): JsonValue {
    const possible = branches.slice(0, MAX_BRANCHES).filter((branch) => branch !== false)
    if (depth < MINIMAL_DEPTH) return this.#pick(possible) ?? false
    return possible.toSorted((one, other) => complexityOf(one) - complexityOf(other))[0] ?? false
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : items[this.#context.random.int(items.length)]
  }

  /** Returns a value from the schema, if the budget covers its size. */
  #literal(value: JsonValue): JsonValue {
    return this.#budget.spend(JSON.stringify(value).length) ? value : null
  }

  #ofType(type: Type, schema: JsonSchema, depth: number): JsonValue {
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return this.#context.random.float() < 0.5
      case 'integer':
      case 'number':
        return sampleNumber(schema, type === 'integer', this.#context.random)
      case 'string':
        return sampleText(schema, this.#context.faker, this.#budget)
      case 'array':
        return this.#array(schema, depth)
      case 'object':
        return this.#object(schema, depth)
    }
  }

  #array(
    { items = true, prefixItems, minItems, maxItems, uniqueItems }: JsonSchema,
    depth: number,
  ): JsonValue[] {
    const first = listIn(prefixItems)
    const least = typeof minItems === 'number' ? minItems : 0
    const most = typeof maxItems === 'number' ? maxItems : Infinity
    const wanted = least + (depth < MINIMAL_DEPTH ? this.#context.random.int(EXTRA_ITEMS) : 0)
    const count = Math.min(wanted, most, items === false ? first.length : Infinity)
    const itemsByKey = new Map<string, JsonValue>()
    for (let repeats = 0; itemsByKey.size < count && repeats < MAX_REPEATS && this.#budget.spend(1); ) {
      const item = this.value(first[itemsByKey.size] ?? items, depth + 1)
      const key = uniqueItems === true ? canonicalJson(item) : String(itemsByKey.size)
      if (itemsByKey.has(key)) repeats += 1
      itemsByKey.set(key, item)
    }
    return [...itemsByKey.values()]
  }

  #object(schema: JsonSchema, depth: number): JsonValue {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
    const required = new Set(listIn(schema['required']).filter((name) => typeof name === 'string'))
    const isWanted = (name: string) =>
      required.has(name) || (depth < MINIMAL_DEPTH && this.#context.random.float() < 0.5)
    const names = new Set([...Object.keys(properties).filter(isWanted), ...required])
    const fields: [string, JsonValue][] = []
    for (const name of names) {
      if (!this.#budget.spend(1 + name.length)) break
      const field = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties']
      fields.push([name, this.value(field ?? true, depth + 1)])
    }
    return Object.fromEntries(fields)
  }
}

type Type = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/** All types, the simplest first. */
const TYPES: readonly Type[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/** Keywords that imply a type in a schema without one. */
const KEYWORDS: readonly (readonly [Type, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems', 'minItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

function typesOf(schema: JsonSchema): readonly Type[] {
  const { type } = schema
  if (type !== undefined) return TYPES.filter((known) => listIn(type).includes(known))
  const [implied] = KEYWORDS.find(([, keywords]) => keywords.some((word) => schema[word] !== undefined)) ?? []
  return [implied ?? 'string']
}

function isOfTypes(value: JsonValue, types: readonly Type[]): boolean {
  return types.some((type) => {
    if (type === 'integer') return Number.isInteger(value)
    if (type === 'null') return value === null
    if (type === 'array') return Array.isArray(value)
    return type === 'object' ? isJsonObject(value) : typeof value === type
  })
}

/** Ranks branches. A reference comes last, because it may lead back to its own schema. */
function complexityOf(branch: JsonValue): number {
  if (!isJsonObject(branch) || branch['const'] !== undefined || branch['enum'] !== undefined) return 0
  if (branch['$ref'] !== undefined) return TYPES.length + 1
  if (branch['anyOf'] ?? branch['oneOf'] ?? branch['allOf']) return TYPES.length
  return TYPES.indexOf(typesOf(branch)[0] ?? 'string')
}

/** The distance from the nearest bound in a schema with one bound or none. */
const USUAL_RANGE = 100
const MAX_STEPS = 1_000_000
const TRIES = 20

/** Generates a number within the bounds of a schema, or near them if they exclude every number. */
function sampleNumber(schema: JsonSchema, isInteger: boolean, random: Random): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const least = Math.max(
    ...[minimum, exclusiveMinimum].map((bound) => (typeof bound === 'number' ? bound : -Infinity)),
  )
  const most = Math.min(
    ...[maximum, exclusiveMaximum].map((bound) => (typeof bound === 'number' ? bound : Infinity)),
  )
  const low = Number.isFinite(least) ? least : Math.min(0, Number.isFinite(most) ? most - USUAL_RANGE : 0)
  const high = Number.isFinite(most) ? most : Math.max(low, 0) + USUAL_RANGE
  const step = stepOf(multipleOf, isInteger)
  const isValid = (value: number) =>
    value >= low &&
    value <= high &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (step === undefined || Number.isInteger(value / step))
  let value = low
  for (let attempt = 0; attempt < TRIES; attempt++) {
    value = step === undefined ? low + random.float() * (high - low) : onGrid(low, high, step, random)
    const rounded = Math.round(value * 100) / 100
    if (step === undefined && isValid(rounded)) return rounded
    if (isValid(value)) return value
  }
  return value
}

function stepOf(multipleOf: unknown, isInteger: boolean): number | undefined {
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : undefined
  return isInteger && !Number.isInteger(step) ? 1 : step
}

function onGrid(low: number, high: number, step: number, random: Random): number {
  const first = Math.ceil(low / step)
  const count = Math.min(Math.max(1, Math.floor(high / step) - first + 1), MAX_STEPS)
  return (first + random.int(count)) * step
}
