import { fileSchemaOf } from '../schema/json-schema.js'
import { dialectSchema } from './dialect-schema.js'

/** Builds the JSON Schema of dialect files for editors. */
export function dialectJsonSchema(): object {
  return fileSchemaOf(
    dialectSchema,
    'tasksim-dialect',
    'The wire format of a service: paths, fields, states, errors, webhooks and signatures',
  )
}
