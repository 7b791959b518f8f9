import { GUARD, SPREAD } from '../../dialects/table/template/compile.js'
import {
  type Constant,
  type Operand,
  type Placeholder,
  parseText,
} from '../../dialects/table/template/parse.js'
import type { Template } from '../../dialects/table/template/template.js'
import type { OpenApiSchema } from '../openapi.js'

/** A value of a template: its schema, and whether it always exists. */
interface Described {
  readonly schema: OpenApiSchema
  readonly isAlways: boolean
}

/** The values that placeholders may name; any other one is of any type, and may be missing. */
export type DescribedValues = Readonly<Record<string, Described>>

/** A value that always exists. */
export function always(schema: OpenApiSchema): Described {
  return { schema, isAlways: true }
}

/** A value that some tasks do not have. */
export function sometimes(schema: OpenApiSchema): Described {
  return { schema, isAlways: false }
}

const ANYTHING = sometimes({})

/** The schema of the JSON that a template writes. */
export function schemaOf(template: Template, values: DescribedValues): OpenApiSchema {
  return describe(template, values).schema
}

/** A schema that each of several schemas fits. */
export function anyOf(schemas: readonly OpenApiSchema[]): OpenApiSchema {
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
    const items = template.map((item) => describe(item, values).schema)
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
  return { schema: { type: 'string' }, isAlways: described.every(({ isAlways }) => isAlways) }
}

function describePlaceholder(operands: Placeholder, values: DescribedValues): Described {
  const described = operands.map((operand) => describeOperand(operand, values))
  return {
    schema: anyOf(described.map(({ schema }) => schema)),
    isAlways: described.some(({ isAlways }) => isAlways),
  }
}

/** What the filters return, by name. */
const FILTERED: Readonly<Record<string, OpenApiSchema>> = {
  unix: { type: 'integer' },
  no_zone: { type: 'string' },
  times: { type: 'number' },
  plus: { type: 'number' },
  round: { type: 'integer' },
  number: { type: 'number' },
  text: { type: 'string' },
  is_given: { const: true },
  equals: { type: 'boolean' },
  without_prefix: { type: 'string' },
  without: { type: 'object' },
  chat: { type: 'object' },
  input_items: { type: 'array', items: { type: 'object' } },
}

function describeOperand({ value, filters }: Operand, values: DescribedValues): Described {
  if ('constant' in value) return always(constant(value.constant))
  const found = (Object.hasOwn(values, value.name) && values[value.name]) || ANYTHING
  const below = value.steps.length === 0 ? found : sometimes(schemaBelow(found.schema, value.steps))
  const last = filters.at(-1)
  if (last === undefined) return below
  const filtered = FILTERED[last.name]
  return filtered === undefined ? ANYTHING : { ...below, schema: filtered }
}

function schemaBelow(schema: OpenApiSchema, steps: readonly string[]): OpenApiSchema {
  let inner = schema
  for (const step of steps) {
    const { properties = {} } = inner as { properties?: Readonly<Record<string, OpenApiSchema>> }
    inner = (Object.hasOwn(properties, step) && properties[step]) || {}
  }
  return inner
}

function describeMapping(template: Readonly<Record<string, Template>>, values: DescribedValues): Described {
  let properties: Record<string, OpenApiSchema> = {}
  const required: string[] = []
  for (const [name, inner] of Object.entries(template)) {
    const { schema, isAlways } = describe(inner, values)
    if (name === GUARD) continue
    if (name === SPREAD) {
      // The inserted fields may replace the ones before.
      const kept = namesLeftOut(inner)
      const loosened = Object.entries(properties).map(([field, earlier]) => [
        field,
        kept.includes(field) ? earlier : {},
      ])
      properties = Object.fromEntries(loosened)
    } else if (!name.includes('{{')) {
      properties[name] = schema
      if (isAlways) required.push(name)
    }
  }
  const isAlways =
    !Object.hasOwn(template, GUARD) && (Object.keys(template).length === 0 || required.length > 0)
  return { schema: { type: 'object', properties, ...(required.length > 0 && { required }) }, isAlways }
}

/** The fields that the filter `without` leaves out of an inserted mapping. */
function namesLeftOut(inserted: Template): readonly string[] {
  const parts = typeof inserted === 'string' ? parseText(inserted) : []
  const operands = parts.flatMap((part) => (typeof part === 'string' ? [] : part))
  return operands.flatMap(({ filters }) =>
    filters.flatMap(({ name, args }) => (name === 'without' ? args : [])),
  )
}

function constant(value: Constant): OpenApiSchema {
  if (typeof value === 'object' && value !== null) return { type: Array.isArray(value) ? 'array' : 'object' }
  return value === null ? { type: 'null' } : { const: value }
}
