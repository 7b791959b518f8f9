import type { JsonSchema } from '../../dialects/table/template/template-schema.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'

/** Where a value differs from what a dialect writes. */
export interface Misfit {
  readonly kind:
    | 'missing'
    | 'unknown'
    | 'type'
    | 'status'
    | 'header'
    | 'state'
    | 'event'
    | 'order'
    | 'operation'
  /** Such as `data[0].output.images`; empty for the whole value. */
  readonly field: string
  readonly expected: string
  readonly got: string
}

/** How well a value fits. Differences of constants, which are often messages, count a little, but are not misfits. */
export interface Fit {
  readonly misfits: readonly Misfit[]
  readonly distance: number
}

/** The words of states and events decide which form an answer has; everything else only among forms with the same word. */
const DISTANCES = { word: 100, unknown: 1.1, missing: 1, type: 1, constant: 0.01 } as const

const FITTING: Fit = { misfits: [], distance: 0 }
const REDACTED = /^\[redacted [0-9a-f]+\]$/

/** Compares a value with a schema. Objects have no other fields than those of the schema, unless it says so. */
export function fit(schema: JsonSchema, value: JsonValue, field = ''): Fit {
  if (typeof value === 'string' && REDACTED.test(value)) return FITTING
  const alternatives = schema['anyOf'] as readonly JsonSchema[] | undefined
  if (alternatives !== undefined) {
    const fitting = alternatives.filter((each) => hasType(each, value))
    if (fitting.length === 0) return misfit('type', field, typesText(schema), typeText(value))
    return nearest(fitting.map((each) => fit(each, value, field))) ?? FITTING
  }
  if (!hasType(schema, value)) {
    const other = misfit('type', field, typesText(schema), typeText(value))
    // A mapping in place of another value has fields that nothing expects.
    return isJsonObject(value) ? { ...other, distance: other.distance + Object.keys(value).length } : other
  }
  if (value === null) return FITTING
  const words = schema['enum'] as readonly JsonValue[] | undefined
  if (words !== undefined && !words.includes(value)) return unknownWord(schema, words, value, field)
  if (Object.hasOwn(schema, 'const') && schema['const'] !== value)
    return { misfits: [], distance: DISTANCES.constant }
  if (Array.isArray(value)) return fitItems(schema, value, field)
  return isJsonObject(value) ? fitFields(schema, value, field) : FITTING
}

/** The nearest of several fits, the first one of equal ones; undefined if there are none. */
export function nearest<Each extends Fit>(fits: readonly Each[]): Each | undefined {
  return fits.reduce<Each | undefined>(
    (best, each) => (best === undefined || each.distance < best.distance ? each : best),
    undefined,
  )
}

/** A fit that consists of others. */
export function joined(fits: readonly Fit[]): Fit {
  return {
    misfits: fits.flatMap(({ misfits }) => misfits),
    distance: fits.reduce((sum, { distance }) => sum + distance, 0),
  }
}

/** A fit with one misfit. */
export function misfit(
  kind: 'missing' | 'unknown' | 'type',
  field: string,
  expected: string,
  got: string,
): Fit {
  return { misfits: [{ kind, field, expected, got }], distance: DISTANCES[kind] }
}

function unknownWord(
  { title }: JsonSchema,
  words: readonly JsonValue[],
  value: JsonValue,
  field: string,
): Fit {
  const kind = title === 'event' ? 'event' : 'state'
  const expected = words.map((word) => JSON.stringify(word)).join(' or ')
  return { misfits: [{ kind, field, expected, got: JSON.stringify(value) }], distance: DISTANCES.word }
}

function fitItems({ items }: JsonSchema, values: readonly JsonValue[], field: string): Fit {
  if (items === undefined) return FITTING
  return joined(values.map((value, index) => fit(items as JsonSchema, value, `${field}[${index}]`)))
}

function fitFields(schema: JsonSchema, value: JsonObject, field: string): Fit {
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined
  if (properties === undefined) return FITTING
  const required = (schema['required'] ?? []) as readonly string[]
  const isOpen = schema['additionalProperties'] === true
  const at = (name: string) => (field === '' ? name : `${field}.${name}`)
  const known = Object.entries(properties).map(([name, inner]) => {
    const own = Object.hasOwn(value, name) ? value[name] : undefined
    if (own !== undefined) return fit(inner, own, at(name))
    return required.includes(name) ? misfit('missing', at(name), typesText(inner), 'nothing') : FITTING
  })
  const others = Object.entries(value).filter(([name]) => !isOpen && !Object.hasOwn(properties, name))
  const unknown = others.map(([name, own]) => misfit('unknown', at(name), 'nothing', typeText(own)))
  return joined([...known, ...unknown])
}

function hasType(schema: JsonSchema, value: JsonValue): boolean {
  const types = typesOf(schema)
  return types.length === 0 || types.includes(typeText(value))
}

/** The types of a schema; none if it allows all. Whole numbers are numbers: services change the precision of times. */
function typesOf(schema: JsonSchema): readonly string[] {
  const { type, const: constant, anyOf } = schema
  if (Array.isArray(anyOf)) {
    const all = (anyOf as readonly JsonSchema[]).map(typesOf)
    return all.some((types) => types.length === 0) ? [] : [...new Set(all.flat())]
  }
  if (type === undefined) return constant === undefined ? [] : [typeText(constant as JsonValue)]
  return [type].flat().map((name) => (name === 'integer' ? 'number' : String(name)))
}

function typesText(schema: JsonSchema): string {
  return typesOf(schema).join(' or ') || 'a value'
}

/** The type of a value in the words of JSON Schema. */
function typeText(value: JsonValue): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
