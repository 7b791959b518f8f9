import { toJsonSchema } from '@valibot/to-json-schema'
import { json } from './forms.js'
import { scenarioSchema } from './scenario.js'

/** What JSON Schema has no word for: what the parts say is told by what they are read from. */
const BEYOND_JSON_SCHEMA = ['check', 'finite', 'raw_check', 'raw_transform', 'transform']

/** The JSON Schema of scenario files, for editors: what is written, before it is read. */
export function scenarioJsonSchema(): object {
  return toJsonSchema(scenarioSchema, {
    target: 'draft-2020-12',
    ignoreActions: BEYOND_JSON_SCHEMA,
    overrideSchema: ({ valibotSchema }) => (valibotSchema === json ? {} : undefined),
  })
}
