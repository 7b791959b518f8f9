import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { json } from './forms.js'
import { scenarioSchema } from './scenario.js'

/** Checks and conversions that JSON Schema cannot express. The schema describes the input of a conversion. */
const IGNORED_ACTIONS = ['check', 'finite', 'raw_check', 'raw_transform', 'transform']

/** Builds the JSON Schema of scenario files for editors. It describes a file before conversion. */
export function scenarioJsonSchema(): object {
  return fileSchemaOf(
    scenarioSchema,
    'tasksim-scenario',
    'How the simulated service behaves: delays, failures, prices, rules, faults, limits and webhooks',
  )
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
