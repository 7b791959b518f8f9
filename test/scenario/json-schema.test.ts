import { expect, test } from 'vitest'
import { defineScenario } from '../../src/index.js'
import { scenarioJsonSchema } from '../../src/scenario/schema/json-schema.js'

interface Schema {
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

const schema = scenarioJsonSchema() as Schema
const OF_ANY_DURATION = /^A duration: /

/** Returns every field in a schema with its path. */
function fieldsOf(schema: Schema, way: string): (readonly [way: string, field: Schema])[] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema
  const own = Object.entries(properties).map(([name, field]) => [`${way}.${name}`, field] as const)
  return [
    ...own,
    ...own.flatMap(([name, field]) => fieldsOf(field, name)),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${way}.*`) : []),
    ...(items === undefined ? [] : fieldsOf(items, `${way}[]`)),
    ...anyOf.flatMap((form) => fieldsOf(form, way)),
  ]
}

test('every field of the schema has its own description', () => {
  const fields = fieldsOf(schema, '')
  expect(fields.length).toBeGreaterThan(500)
  const silent = fields.filter(
    ([, { description = '' }]) => description === '' || OF_ANY_DURATION.test(description),
  )
  expect(silent.map(([way]) => way)).toEqual([])
})

/** Returns all defaults in the schema, in the form of a scenario. */
function defaultsIn({ properties = {} }: Schema): object {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => {
      if (field.default !== undefined) return [[name, field.default]]
      const inner = defaultsIn(field)
      return Object.keys(inner).length === 0 ? [] : [[name, inner]]
    }),
  )
}

test('the defaults in the schema are the actual defaults', () => {
  const defaults = defaultsIn(schema)
  expect(Object.keys(defaults).sort()).toEqual([
    'api',
    'capacity',
    'directives',
    'ended',
    'findings',
    'outputs',
    'seed',
    'webhooks',
  ])
  const settings = (scenario: object) => ({ ...defineScenario(scenario), layer: undefined, text: undefined })
  expect(settings(defaults)).toEqual(settings({}))
})
