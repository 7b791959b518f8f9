import type { JsonObject, JsonValue } from '../../json.js'
import { canonicalJson } from '../../tasks/canonical.js'
import type { Budget } from './budget.js'
import { pointed } from './flatten.js'
import { asList, isSchema, namesIn, type Schema } from './merge.js'
import { isOfType } from './types.js'

/** How deep a schema is looked into; one that refers to itself has no end. */
const MOST_LEVELS = 300

/**
 * Whether a value meets a schema, patterns and formats apart: running a stranger's expression may take for ever.
 * It tells a sample that is wrong by the luck of the draw; what it cannot pay for counts as right.
 */
export function fits(
  schema: JsonValue,
  value: JsonValue,
  root: JsonValue,
  budget: Budget,
  levels = MOST_LEVELS,
): boolean {
  if (schema === false) return false
  if (!isSchema(schema) || levels === 0 || !budget.spend(costOf(schema, value))) return true
  const holds = (inner: JsonValue, part: JsonValue = value) => fits(inner, part, root, budget, levels - 1)
  return (
    fitsItself(schema, value, budget) &&
    fitsBranches(schema, root, holds) &&
    (typeof value !== 'number' || fitsNumber(schema, value)) &&
    (typeof value !== 'string' || isCount(schema, [...value].length, 'Length')) &&
    (!Array.isArray(value) || fitsArray(schema, value, holds)) &&
    (!isSchema(value) || fitsObject(schema, value, holds))
  )
}

type Holds = (schema: JsonValue, part?: JsonValue) => boolean

/** Counting the characters of a text is cheap, and done again for each branch. */
const CHARACTERS_A_STEP = 16

function costOf({ required, uniqueItems }: Schema, value: JsonValue): number {
  const items = Array.isArray(value) && uniqueItems === true ? value.length : 0
  const characters = typeof value === 'string' ? value.length / CHARACTERS_A_STEP : 0
  return 1 + items + characters + asList(required).length
}

function fitsItself(schema: Schema, value: JsonValue, budget: Budget): boolean {
  const { type, enum: words, const: only } = schema
  if (type !== undefined && !asList(type).some((one) => isOfType(value, one))) return false
  if (only !== undefined && !isSame(only, value, budget)) return false
  return !Array.isArray(words) || words.some((word) => isSame(word, value, budget))
}

function isSame(one: JsonValue, other: JsonValue, budget: Budget): boolean {
  if (!budget.spend()) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const [text, otherText] = [canonicalJson(one), canonicalJson(other)]
  budget.spend((text.length + otherText.length) / CHARACTERS_A_STEP)
  return text === otherText
}

function fitsBranches(schema: Schema, root: JsonValue, holds: Holds): boolean {
  const { $ref, allOf, anyOf, oneOf, not, if: condition, then, else: otherwise } = schema
  if (typeof $ref === 'string' && !holds(pointed(root, $ref))) return false
  if (Array.isArray(allOf) && !allOf.every((part) => holds(part))) return false
  if (Array.isArray(anyOf) && !anyOf.some((part) => holds(part))) return false
  if (Array.isArray(oneOf) && oneOf.filter((part) => holds(part)).length !== 1) return false
  if (not !== undefined && holds(not)) return false
  if (condition === undefined) return true
  return holds((holds(condition) ? then : otherwise) ?? true)
}

function fitsNumber(schema: Schema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  return (
    !(typeof minimum === 'number' && value < minimum) &&
    !(typeof maximum === 'number' && value > maximum) &&
    !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) &&
    !(typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf))
  )
}

function isCount(schema: Schema, count: number, what: 'Length' | 'Items' | 'Properties'): boolean {
  const least = schema[`min${what}`]
  const most = schema[`max${what}`]
  return !(typeof least === 'number' && count < least) && !(typeof most === 'number' && count > most)
}

function fitsArray(schema: Schema, value: readonly JsonValue[], holds: Holds): boolean {
  const { items = true, contains, uniqueItems } = schema
  const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
  return (
    isCount(schema, value.length, 'Items') &&
    value.every((item, index) =>
      holds(first[index] ?? (Array.isArray(items) ? items[index] : items) ?? true, item),
    ) &&
    (contains === undefined || value.some((item) => holds(contains, item))) &&
    (uniqueItems !== true || new Set(value.map(canonicalJson)).size === value.length)
  )
}

function fitsObject(schema: Schema, value: JsonObject, holds: Holds): boolean {
  const { required, additionalProperties = true } = schema
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const names = Object.keys(value)
  return (
    isCount(schema, names.length, 'Properties') &&
    namesIn(required).every((name) => Object.hasOwn(value, name)) &&
    names.every((name) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      return holds(own ?? true, value[name] ?? null)
    })
  )
}
