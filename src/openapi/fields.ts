import type { OpenApiSchema } from './openapi.js'

/** A row in a table of fields. */
export interface Field {
  /** The path through objects and lists, such as `data[].id`. */
  readonly name: string
  readonly type: TypeText
  readonly isRequired: boolean
  readonly description: string
}

/** The description of a type: texts, and the names of components. */
export type TypeText = readonly (string | { readonly component: string })[]

/** Returns the fields of a schema and of its nested objects, but not those of components. */
export function fieldsOf(schema: OpenApiSchema, prefix = ''): Field[] {
  const items = schema['items'] as OpenApiSchema | undefined
  if (items !== undefined) return fieldsOf(items, `${prefix}[]`)
  const required = (schema['required'] ?? []) as readonly string[]
  return Object.entries(propertiesOf(schema)).flatMap(([key, property]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    return [
      {
        name,
        type: typeOf(property),
        isRequired: required.includes(key),
        description: String(property['description'] ?? ''),
      },
      ...fieldsOf(property, name),
    ]
  })
}

/** Returns the alternatives of a schema, or the schema itself if it has none. */
export function formsOf(schema: OpenApiSchema): readonly OpenApiSchema[] {
  return (schema['anyOf'] as readonly OpenApiSchema[] | undefined) ?? [schema]
}

/** The properties of a schema, by their names. */
export function propertiesOf(schema: OpenApiSchema): Readonly<Record<string, OpenApiSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, OpenApiSchema>>
}

/** Describes the type of a value. */
export function typeOf(schema: OpenApiSchema): TypeText {
  const component = componentIn(schema)
  if (component !== undefined) return [{ component }]
  if (schema['const'] !== undefined) return [JSON.stringify(schema['const'])]
  const words = schema['enum'] as readonly string[] | undefined
  if (words !== undefined) return [words.join(' | ')]
  const forms = schema['anyOf'] as readonly OpenApiSchema[] | undefined
  if (forms !== undefined)
    return forms.flatMap((form, index) => [...(index > 0 ? [' or '] : []), ...typeOf(form)])
  const [first] = (schema['prefixItems'] ?? []) as readonly OpenApiSchema[]
  if (first !== undefined) return ['list of ', ...typeOf(first)]
  if (schema['items'] !== undefined) return ['list of ', ...typeOf(schema['items'] as OpenApiSchema)]
  return [plainType(schema)]
}

/** The name of the component that a schema refers to. */
export function componentIn(schema: OpenApiSchema): string | undefined {
  const target = schema['$ref']
  return typeof target === 'string' ? target.split('/').at(-1) : undefined
}

function plainType(schema: OpenApiSchema): string {
  const { type = 'any', format, minimum, maximum, default: defaultValue } = schema as Record<string, string>
  const name = [type].flat().join(' or ')
  const bounds = minimum !== undefined && maximum !== undefined ? ` ${minimum} to ${maximum}` : ''
  return `${name}${format === undefined ? '' : ` (${format})`}${bounds}${defaultValue === undefined ? '' : `, default ${defaultValue}`}`
}
