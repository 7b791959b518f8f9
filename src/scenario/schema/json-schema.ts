import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { writeDuration } from '../../engine/clock/durations.js'
import { DEFAULTS } from '../defaults.js'
import { isMapping } from '../mapping.js'
import { json } from './forms.js'
import { scenarioSchema } from './scenario.js'

/** Checks and conversions that JSON Schema cannot express. The schema describes the input of a conversion. */
const IGNORED_ACTIONS = ['check', 'finite', 'raw_check', 'raw_transform', 'transform']

/** Builds the JSON Schema of scenario files for editors. It describes a file before conversion. */
export function scenarioJsonSchema(): object {
  const schema = fileSchemaOf(
    scenarioSchema,
    'tasksim-scenario',
    'How the simulated service behaves: delays, failures, prices, rules, faults, limits and webhooks',
  )
  // `defaults` shares its schema with `kinds`, where other defaults apply.
  const { defaults: _, ...documented } = DEFAULTS
  addDefaults(schema, documented)
  return schema
}

/** Converts a schema of values to JSON Schema. */
export function jsonSchemaOf(
  schema: v.GenericSchema,
  target: 'draft-2020-12' | 'draft-07' = 'draft-2020-12',
): object {
  return toJsonSchema(schema, {
    target,
    ignoreActions: IGNORED_ACTIONS,
    overrideSchema: ({ valibotSchema }) => (valibotSchema === json ? {} : undefined),
  })
}

/**
 * Converts a schema of files to JSON Schema, in the draft that editors support best.
 * @param name the name of the schema in SchemaStore, which decides its id
 */
export function fileSchemaOf(schema: v.GenericSchema, name: string, description: string): object {
  const $id = `https://json.schemastore.org/${name}.json`
  return { $id, description, ...jsonSchemaOf(schema, 'draft-07') }
}

interface SchemaNode {
  readonly title?: string
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  default?: unknown
}

function addDefaults(schema: object, defaults: object): void {
  const { properties = {} } = schema as SchemaNode
  for (const [name, value] of Object.entries(defaults)) {
    const field = properties[name]
    if (field === undefined || (Array.isArray(value) && value.length === 0)) continue
    if (isMapping(value)) addDefaults(field, value)
    else field.default = inFileFormat(value, field)
  }
}

/** Writes a default as a scenario file would: durations as text. */
function inFileFormat(value: unknown, { title, items }: SchemaNode): unknown {
  if (Array.isArray(value)) return value.map((item) => inFileFormat(item, items ?? {}))
  return title === 'Duration' ? writeDuration(Number(value)) : value
}
