import { isJsonObject } from '../../../engine/json.js'
import { GUARD, SPREAD } from './compile.js'
import { type Constant, type Operand, type Placeholder, parseText } from './parse.js'
import type { Template } from './template.js'

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A value of a template: its schema, and whether it always exists. */
interface Described {
  readonly schema: JsonSchema
  readonly isAlways: boolean
  /** Whether it never exists. */
  readonly isNever?: true
}

/** The values that placeholders may name; any other one is of any type, and may be missing. */
export type DescribedValues = Readonly<Record<string, Described>>

/** A value that always exists. */
export function always(schema: JsonSchema): Described {
  return { schema, isAlways: true }
}

/** A value that some tasks do not have. */
export function sometimes(schema: JsonSchema): Described {
  return { schema, isAlways: false }
}

/** A value that no task has, in the state that the schema is for. */
export const NEVER: Described = { schema: {}, isAlways: false, isNever: true }

const ANYTHING = sometimes({})

/** The schema of the JSON that a template writes. */
export function schemaOf(template: Template, values: DescribedValues): JsonSchema {
  return describe(template, values).schema
}

/** A schema that each of several schemas fits. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [first = {}] = distinct
  if (distinct.length <= 1) return first
  if (distinct.some((schema) => Object.keys(schema).length === 0)) return {}
  const others = distinct.filter(({ type }) => type !== 'null')
  const [only = {}] = others
  const isNullable = others.length === 1 && typeof only['type'] === 'string'
  return isNullable ? { ...only, type: [only['type'], 'null'] } : { anyOf: distinct }
}

function describe(template: Template, values: DescribedValues): Described {
  if (typeof template === 'string') return describeText(template, values)
  if (Array.isArray(template)) {
    const items = existing(template.map((item) => describe(item, values))).map(({ schema }) => schema)
    return always({ type: 'array', ...(items.length > 0 && { items: anyOf(items) }) })
  }
  if (typeof template === 'object' && template !== null) return describeMapping(template, values)
  return always(constant(template))
}

function describeText(text: string, values: DescribedValues): Described {
  const parts = parseText(text)
  const placeholders = parts.filter((part): part is Placeholder => typeof part !== 'string')
  const described = placeholders.map((placeholder) => describePlaceholder(placeholder, values))
  const [only] = described
  if (only === undefined) return always(constant(text))
  if (parts.length === 1) return only
  if (described.some(({ isNever }) => isNever)) return NEVER
  return { schema: { type: 'string' }, isAlways: described.every(({ isAlways }) => isAlways) }
}

function describePlaceholder(operands: Placeholder, values: DescribedValues): Described {
  const all = existing(operands.map((operand) => describeOperand(operand, values)))
  if (all.length === 0) return NEVER
  // The operands after one that always exists are never read.
  const end = all.findIndex(({ isAlways }) => isAlways)
  const described = end === -1 ? all : all.slice(0, end + 1)
  return {
    schema: anyOf(described.map(({ schema }) => schema)),
    isAlways: described.some(({ isAlways }) => isAlways),
  }
}

function existing(all: readonly Described[]): Described[] {
  return all.filter(({ isNever }) => isNever !== true)
}

/** What the filters return, by name. */
const FILTERED: Readonly<Record<string, JsonSchema>> = {
  unix: { type: 'integer' },
  no_zone: { type: 'string' },
  spaced: { type: 'string' },
  times: { type: 'number' },
  plus: { type: 'number' },
  round: { type: 'integer' },
  number: { type: 'number' },
  text: { type: 'string' },
  is_given: { const: true },
  equals: { type: 'boolean' },
  last_segment: { type: 'string' },
  url_path: { type: 'string' },
  without_prefix: { type: 'string' },
  without: { type: 'object' },
  chat: { type: 'object' },
  interaction: { type: 'object' },
  input_items: { type: 'array', items: { type: 'object' } },
}

function describeOperand({ value, filters }: Operand, values: DescribedValues): Described {
  if ('constant' in value) return always(constant(value.constant))
  const found = (Object.hasOwn(values, value.name) && values[value.name]) || ANYTHING
  if (found.isNever) return NEVER
  const below = value.steps.length === 0 ? found : valueBelow(found, value.steps)
  const last = filters.at(-1)
  if (last === undefined) return below
  const filtered = FILTERED[last.name]
  return filtered === undefined ? ANYTHING : { ...below, schema: filtered }
}

function valueBelow(value: Described, steps: readonly string[]): Described {
  return steps.reduce<Described>(({ schema, isAlways }, step) => {
    const { properties = {}, required = [] } = schema as Fields
    const inner = Object.hasOwn(properties, step) ? properties[step] : undefined
    return { schema: inner ?? {}, isAlways: isAlways && required.includes(step) }
  }, value)
}

function describeMapping(template: Readonly<Record<string, Template>>, values: DescribedValues): Described {
  let properties: Record<string, JsonSchema> = {}
  let required: string[] = []
  let isOpen = false
  const add = (name: string, { schema, isAlways, isNever }: Described) => {
    required = required.filter((other) => other !== name)
    if (isNever) return
    properties[name] = schema
    if (isAlways) required.push(name)
  }
  for (const [name, inner] of Object.entries(template)) {
    const described = describe(inner, values)
    if (name === GUARD) {
      if (described.isNever) return NEVER
    } else if (name === SPREAD && isJsonObject(inner)) {
      const { properties: own = {}, required: always = [] } = described.schema as Fields
      for (const [field, schema] of Object.entries(own))
        add(field, { schema, isAlways: always.includes(field) })
      isOpen ||= described.schema['additionalProperties'] === true
    } else if (name === SPREAD) {
      isOpen ||= described.isNever !== true
      // The inserted fields may replace the ones before.
      const kept = namesLeftOut(inner)
      const loosened = Object.entries(properties).map(([field, earlier]) => [
        field,
        kept.includes(field) ? earlier : {},
      ])
      properties = Object.fromEntries(loosened)
    } else if (name.includes('{{')) isOpen = true
    else add(name, described)
  }
  const isEmpty = Object.keys(properties).length === 0 && !isOpen && Object.keys(template).length > 0
  if (isEmpty) return NEVER
  const isAlways =
    !Object.hasOwn(template, GUARD) && (Object.keys(template).length === 0 || required.length > 0)
  return {
    schema: {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      ...(isOpen && { additionalProperties: true }),
    },
    isAlways,
  }
}

interface Fields {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** The fields that the filter `without` leaves out of an inserted mapping. */
function namesLeftOut(inserted: Template): readonly string[] {
  const parts = typeof inserted === 'string' ? parseText(inserted) : []
  const operands = parts.flatMap((part) => (typeof part === 'string' ? [] : part))
  return operands.flatMap(({ filters }) =>
    filters.flatMap(({ name, args }) => (name === 'without' ? args : [])),
  )
}

function constant(value: Constant): JsonSchema {
  if (typeof value === 'object' && value !== null) return { type: Array.isArray(value) ? 'array' : 'object' }
  return value === null ? { type: 'null' } : { const: value }
}
