import type { Faker } from '@faker-js/faker'
import type { JsonValue } from '../../json.js'
import type { Random } from '../../random.js'
import { canonicalJson } from '../../tasks/canonical.js'
import { Budget } from './budget.js'
import { fits } from './fits.js'
import { flatten } from './flatten.js'
import { asList, isSchema, namesIn, type Schema } from './merge.js'
import { sampleNumber } from './sample-number.js'
import type { SamplePattern } from './sample-pattern.js'
import { sampleText } from './sample-text.js'
import { isOfType, type Type, typesOf } from './types.js'

/** Where chance comes from, and who writes texts. */
export interface Hands {
  readonly random: Random
  /** It must draw from the same stream. */
  readonly faker: Faker
  readonly samplePattern: SamplePattern
}

const MOST_STEPS = 300_000
const MOST_CHARACTERS = 100_000
const MOST_CHECKS = 100_000

/** Below this depth only what must be there is made, and of branches the simplest one. */
const LEISURELY_DEPTH = 4
const LARGEST_DEPTH = 100
const MORE_ITEMS = 3
const MOST_EXAMPLES = 10
/** How often a branch is chosen by chance before they all have their turn, and how often in all. */
const RANDOM_TRIES = 4
const TRIES = 12

/**
 * Makes a value that a JSON Schema accepts. References within the schema are followed, others accept anything.
 * Work and size are bounded whatever the schema is; what cannot be met, or not within those bounds, is met as far
 * as possible.
 */
export function sample(schema: JsonValue, hands: Hands): JsonValue {
  return new Sampler(schema, hands).value(schema, 0)
}

class Sampler {
  readonly #root: JsonValue
  readonly #hands: Hands
  readonly #budget = new Budget(MOST_STEPS, MOST_CHARACTERS)
  readonly #checks = new Budget(MOST_CHECKS, 0)

  constructor(root: JsonValue, hands: Hands) {
    this.#root = root
    this.#hands = hands
  }

  /** Draws again where a branch that was chosen turns out to be at odds with the rest. */
  value(whole: JsonValue, depth: number): JsonValue {
    let value: JsonValue = null
    for (let attempt = 0; attempt < TRIES && depth <= LARGEST_DEPTH && this.#budget.spend(); attempt++) {
      const flat = flatten(whole, this.#root, this.#budget, (branches) =>
        this.#branch(branches, depth, attempt),
      )
      if (flat === undefined) continue
      value = this.#ofSchema(flat.schema, depth)
      if (!flat.isChosen || fits(whole, value, this.#root, this.#checks)) break
    }
    return value
  }

  #branch(branches: readonly JsonValue[], depth: number, attempt: number): JsonValue {
    const open = branches.slice(0, 100).filter((branch) => branch !== false)
    if (depth < LEISURELY_DEPTH && attempt < RANDOM_TRIES) return this.#pick(open) ?? false
    return open.toSorted((one, other) => weightOf(one) - weightOf(other))[attempt % open.length] ?? false
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : items[this.#hands.random.int(items.length)]
  }

  #ofSchema(schema: Schema, depth: number): JsonValue {
    if (schema['const'] !== undefined) return this.#given(schema['const'])
    const types = typesOf(schema)
    if (Array.isArray(schema['enum']))
      return this.#given(this.#word(schema['enum'], schema['type'] === undefined ? undefined : types) ?? null)
    const examples = [...asList(schema['examples']).slice(0, MOST_EXAMPLES), ...asList(schema['default'])]
    const example = this.#pick(examples)
    if (
      example !== undefined &&
      fits(schema, example, this.#root, this.#checks) &&
      schema['pattern'] === undefined
    )
      return this.#given(example)
    const type = depth < LEISURELY_DEPTH ? this.#pick(types) : types[0]
    return type === undefined ? null : this.#ofType(type, schema, depth)
  }

  #word(words: readonly JsonValue[], types: readonly Type[] | undefined): JsonValue | undefined {
    return this.#pick(
      types === undefined ? words : words.filter((word) => types.some((type) => isOfType(word, type))),
    )
  }

  /** A value that the schema itself holds: it may be large, and asked for again and again. */
  #given(value: JsonValue): JsonValue {
    const { length } = JSON.stringify(value)
    return this.#budget.write(length) === length ? value : null
  }

  #ofType(type: Type, schema: Schema, depth: number): JsonValue {
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return this.#hands.random.float() < 0.5
      case 'integer':
      case 'number':
        return sampleNumber(schema, type === 'integer', this.#hands.random)
      case 'string':
        return sampleText(schema, { ...this.#hands, budget: this.#budget })
      case 'array':
        return this.#array(schema, depth)
      case 'object':
        return this.#object(schema, depth)
    }
  }

  #array(schema: Schema, depth: number): JsonValue[] {
    const { items = true, minItems, maxItems, contains, uniqueItems } = schema
    const first = asList(schema['prefixItems'] ?? (Array.isArray(items) ? items : undefined))
    const rest = Array.isArray(items) ? (schema['additionalItems'] ?? true) : items
    const least = Math.max(numberOr(minItems, 0), contains === undefined ? 0 : 1)
    const most = Math.min(numberOr(maxItems, Infinity), rest === false ? first.length : Infinity)
    const count = Math.min(most, depth < LEISURELY_DEPTH ? least + this.#hands.random.int(MORE_ITEMS) : least)
    const made = new Map<string, JsonValue>()
    for (let tries = 0; made.size < count && tries < count + TRIES * made.size + TRIES; tries++) {
      if (!this.#budget.spend() || this.#budget.write(1) === 0) break
      const own = first[made.size] ?? rest
      const asked = contains !== undefined && made.size === 0 ? { allOf: [own, contains] } : own
      const item = this.value(asked, depth + 1)
      made.set(uniqueItems === true ? canonicalJson(item) : String(tries), item)
    }
    return [...made.values()]
  }

  #object(schema: Schema, depth: number): JsonValue {
    const properties = isSchema(schema['properties']) ? schema['properties'] : {}
    const names = this.#names(schema, Object.keys(properties), depth)
    const fields: [string, JsonValue][] = []
    for (const name of names) {
      if (!this.#budget.spend() || this.#budget.write(1 + name.length) <= name.length) break
      const own = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties']
      fields.push([name, this.value(own ?? true, depth + 1)])
    }
    return Object.fromEntries(fields)
  }

  /** The fields to make: those that are required, in the order of the schema, and some that are not. */
  #names(schema: Schema, known: readonly string[], depth: number): Set<string> {
    const required = new Set(namesIn(schema['required']))
    const least = numberOr(schema['minProperties'], 0)
    const most = numberOr(schema['maxProperties'], Infinity)
    const names = new Set<string>()
    let room = most - required.size
    let lack = least - required.size
    for (const name of known) {
      const isWanted = depth < LEISURELY_DEPTH && this.#hands.random.float() < 0.5
      const isExtra = !required.has(name) && room > 0 && (lack > 0 || isWanted)
      if (isExtra) [room, lack] = [room - 1, lack - 1]
      if (isExtra || required.has(name)) names.add(name)
    }
    for (const name of required) names.add(name)
    for (const [needed, others] of dependencies(schema))
      if (names.has(needed)) for (const name of others) names.add(name)
    for (let number = 1; names.size < least && isOpen(schema) && this.#budget.spend(); number++)
      names.add(`field_${number}`)
    return names
  }
}

function isOpen(schema: Schema): boolean {
  return schema['additionalProperties'] !== false
}

function dependencies({ dependentRequired }: Schema): [string, string[]][] {
  if (!isSchema(dependentRequired)) return []
  return Object.entries(dependentRequired).map(([name, others]) => [name, namesIn(others)])
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

/** How far a branch seems to be from an end: what refers to something may lead back here. */
function weightOf(branch: JsonValue): number {
  if (!isSchema(branch)) return 0
  if (branch['const'] !== undefined || branch['enum'] !== undefined) return 0
  if (branch['$ref'] !== undefined) return 4
  if (branch['anyOf'] ?? branch['oneOf'] ?? branch['allOf']) return 3
  const [type] = typesOf(branch)
  if (type === 'object') return 2
  return type === 'array' ? 1 : 0
}
