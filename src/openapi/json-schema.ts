import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { OpenApiSchema } from './openapi.js'

type Schema = v.GenericSchema

/** JSON Schema has no keyword for these actions; metadata describes them. */
const IGNORED_ACTIONS = ['check', 'transform']

/**
 * Converts schemas to JSON Schema, as OpenAPI 3.1 embeds it.
 * @param components the schemas that others refer to, by name
 */
export function converter(components: Readonly<Record<string, Schema>>): (schema: Schema) => OpenApiSchema {
  const names = new Map(Object.entries(components).map(([name, schema]) => [baseOf(schema), name]))
  return (root) => {
    const { $schema: _, ...schema } = toJsonSchema(root, {
      target: 'draft-2020-12',
      ignoreActions: IGNORED_ACTIONS,
      overrideSchema: ({ valibotSchema, jsonSchema }) => {
        const name = valibotSchema === baseOf(root) ? undefined : names.get(valibotSchema)
        return name === undefined ? simplified(jsonSchema as OpenApiSchema) : refTo(name)
      },
    })
    return schema
  }
}

/** A reference to a component. */
export function refTo(component: string): OpenApiSchema {
  return { $ref: `#/components/schemas/${component}` }
}

/** Returns the original schema. A pipe copies a schema to describe it, so only the original identifies it. */
function baseOf(schema: Schema): Schema {
  const { pipe } = schema as { readonly pipe?: readonly Schema[] }
  return pipe?.[0] === undefined ? schema : baseOf(pipe[0])
}

/** Omits redundant keywords, allows unknown fields, and writes a nullable value with two types instead of a union. */
function simplified(schema: OpenApiSchema): OpenApiSchema {
  const { propertyNames: _, additionalProperties, ...others } = schema
  const rest =
    additionalProperties === false || additionalProperties === undefined
      ? others
      : { ...others, additionalProperties }
  const [value, other] = (schema['anyOf'] ?? []) as readonly OpenApiSchema[]
  if (other?.['type'] !== 'null') return rest
  return { ...value, type: [value?.['type'], 'null'] }
}
