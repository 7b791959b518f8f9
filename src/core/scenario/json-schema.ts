import { z } from 'zod'
import { scenarioSchema } from './schema.js'

/** The JSON Schema of scenario files, for editors: what is written, before it is read. */
export function scenarioJsonSchema(): object {
  return {
    ...z.toJSONSchema(scenarioSchema, { io: 'input', override: keepAsWritten }),
    title: 'tasksim scenario',
  }
}

/**
 * The library takes these away from what is read into something else, for they might be meant to have been read.
 * Ours are meant as they are written.
 */
function keepAsWritten({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void {
  const { default: usual, examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (usual !== undefined) Object.assign(jsonSchema, { default: usual })
  if (examples !== undefined) Object.assign(jsonSchema, { examples })
}
