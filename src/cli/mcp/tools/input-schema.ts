import type { ControlOperation } from '../../../control/operation.js'
import { jsonSchemaOf } from '../../../scenario/language/schema/json-schema.js'
import { type InputSchema, inputOf } from './tool.js'

/** The most items of a page: a model reads all of them. */
export const MAX_PAGE = 50

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * The arguments of an operation of the control API: its path parameters, its query and the fields of its body.
 * @param omitted the names of fields that the tool sets itself, or does not offer
 */
export function inputSchemaOf(operation: ControlOperation, omitted: readonly string[] = []): InputSchema {
  const { params = {}, query, body } = operation
  const paths = Object.entries(params).map(([name, description]) => [name, { type: 'string', description }])
  const described = [query, body?.schema].flatMap((schema) =>
    schema === undefined ? [] : flat(jsonSchemaOf(schema) as JsonSchema),
  )
  const fields = [...paths, ...described.flatMap(({ properties }) => Object.entries(properties))]
  const offered = fields.filter(([name]) => !omitted.includes(String(name)))
  return inputOf(
    Object.fromEntries(offered.map(([name, schema]) => [name, simpler(String(name), schema as JsonSchema)])),
    [...Object.keys(params), ...described.flatMap(({ required }) => required)],
  )
}

interface Fields {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

/**
 * The fields of an object. For a union of objects, the fields of all of them, because not every model provider accepts a
 * union at the top level.
 */
function flat(schema: JsonSchema): Fields {
  const forms = schema['anyOf'] as readonly JsonSchema[] | undefined
  if (forms === undefined)
    return {
      properties: (schema['properties'] ?? {}) as Fields['properties'],
      required: (schema['required'] ?? []) as Fields['required'],
    }
  const all = forms.map(flat)
  return {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: (all[0]?.required ?? []).filter((name) => all.every(({ required }) => required.includes(name))),
  }
}

/**
 * A parameter of a query as JSON: a boolean instead of its text, and smaller pages. Patterns are left out, because they
 * are long, some model providers reject lookarounds, and the control API checks the values.
 */
function simpler(name: string, schema: JsonSchema): JsonSchema {
  const plain = JSON.parse(JSON.stringify(schema, (key, value) => (key === 'pattern' ? undefined : value)))
  const { enum: words, ...rest } = plain as JsonSchema
  if (Array.isArray(words) && words.join() === 'true,false') return { ...rest, type: 'boolean' }
  return name === 'limit' ? { ...plain, maximum: MAX_PAGE } : plain
}
