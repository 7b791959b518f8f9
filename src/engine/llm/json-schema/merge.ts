import type { JsonObject, JsonValue } from '../../json.js'

/** A schema that is an object; `true` and `false` are schemas as well. */
export type Schema = JsonObject

type Join = (one: JsonValue, other: JsonValue) => JsonValue

/** How two values of one keyword become a value that asks for both; of all others, the first stays. */
const JOINS: Readonly<Record<string, Join>> = {
  type: (one, other) => bothTypes(asList(one), asList(other)),
  enum: (one, other) => common(asList(one), asList(other)),
  required: (one, other) => [...new Set([...asList(one), ...asList(other)])],
  properties: bothProperties,
  items: bothSchemas,
  additionalProperties: bothSchemas,
  multipleOf: (one, other) => commonMultiple(Number(one), Number(other)),
  ...each(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'], highest),
  ...each(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'], lowest),
}

/** One schema that asks for what both ask for, as far as a schema without branches can. */
export function merge(one: Schema, other: Schema): Schema {
  const merged = { ...one }
  for (const [keyword, value] of Object.entries(other)) {
    const mine = Object.hasOwn(one, keyword) ? one[keyword] : undefined
    const join = Object.hasOwn(JOINS, keyword) ? JOINS[keyword] : undefined
    if (mine === undefined) merged[keyword] = value
    else if (join !== undefined) merged[keyword] = join(mine, value)
  }
  return merged
}

/** A value as the list that it should be: what is no list counts as a list of one. */
export function asList(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** The names in a list of names. */
export function namesIn(value: JsonValue | undefined): string[] {
  return asList(value).filter((name) => typeof name === 'string')
}

export function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function each(keywords: readonly string[], join: Join): Record<string, Join> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, join]))
}

function highest(one: JsonValue, other: JsonValue): JsonValue {
  return typeof one === 'number' && typeof other === 'number' ? Math.max(one, other) : one
}

function lowest(one: JsonValue, other: JsonValue): JsonValue {
  return typeof one === 'number' && typeof other === 'number' ? Math.min(one, other) : one
}

function common(one: readonly JsonValue[], other: readonly JsonValue[]): JsonValue[] {
  const wanted = new Set(other.map((value) => JSON.stringify(value)))
  return one.filter((value) => wanted.has(JSON.stringify(value)))
}

/** There are seven types. */
const MOST_TYPES = 10

/** Every integer is a number too. */
function bothTypes(ones: readonly JsonValue[], others: readonly JsonValue[]): JsonValue[] {
  const one = ones.slice(0, MOST_TYPES)
  const other = others.slice(0, MOST_TYPES)
  const within = (types: readonly JsonValue[]) => (type: JsonValue) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  return [...new Set([...one.filter(within(other)), ...other.filter(within(one))])]
}

function bothSchemas(one: JsonValue, other: JsonValue): JsonValue {
  if (one === false || other === false) return false
  return { allOf: [one, other] }
}

function bothProperties(one: JsonValue, other: JsonValue): JsonValue {
  if (!isSchema(one) || !isSchema(other)) return isSchema(one) ? one : other
  const shared = Object.entries(other).map(([name, schema]) => {
    const mine = Object.hasOwn(one, name) ? one[name] : undefined
    return [name, mine === undefined ? schema : bothSchemas(mine, schema)] as const
  })
  return { ...one, ...Object.fromEntries(shared) }
}

const LARGEST_FACTOR = 10_000

function commonMultiple(one: number, other: number): number {
  for (let factor = 1; factor <= LARGEST_FACTOR; factor++) {
    if (Number.isInteger((one * factor) / other)) return one * factor
  }
  return one
}
