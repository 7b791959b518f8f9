import type { DialectTable } from '../../dialects/table/model/dialect-table.js'
import { taskTemplates } from '../../dialects/table/tasks/task-template.js'
import type { OpenApiSchema } from '../openapi.js'
import { anyOf, schemaOf } from './template-schema.js'
import { taskValues } from './value-schemas.js'

type Properties = Readonly<Record<string, OpenApiSchema>>

/** The schema of a task: its own fields, and those of each state and of a removed task, which are optional. */
export function taskSchema(table: DialectTable): OpenApiSchema {
  const values = taskValues(table)
  const base = schemaOf(table.task, values)
  const properties = { ...propertiesOf(base) }
  for (const { status, variant, template } of taskTemplates(table)) {
    const { fields = {}, variants = [] } = table.statuses[status]
    const names = Object.keys({ ...fields, ...(variant !== undefined && variants[variant]?.fields) })
    const own = Object.entries(propertiesOf(schemaOf(template, values)))
    for (const [name, schema] of own.filter(([name]) => names.includes(name))) {
      const known = properties[name]
      properties[name] = known === undefined ? schema : anyOf([...alternativesOf(known), schema])
    }
  }
  for (const [name, schema] of Object.entries(propertiesOf(schemaOf(table.removed ?? {}, values)))) {
    const known = properties[name]
    // Without a known field, the input of the client may contain it.
    properties[name] = known === undefined ? {} : anyOf([...alternativesOf(known), schema])
  }
  return { ...base, properties }
}

function propertiesOf({ properties }: OpenApiSchema): Properties {
  return (properties ?? {}) as Properties
}

function alternativesOf(schema: OpenApiSchema): readonly OpenApiSchema[] {
  return (schema['anyOf'] as readonly OpenApiSchema[] | undefined) ?? [schema]
}
