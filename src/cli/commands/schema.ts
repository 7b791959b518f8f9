import { dialectSchema } from '../../dialects/language/dialect-schema.js'
import { fileSchemaOf, scenarioJsonSchema } from '../../scenario/schema/json-schema.js'
import { defineCommand } from '../command.js'
import { flush, print } from '../output.js'

/** Prints the JSON Schema of scenario files or of dialect files. */
export const command = defineCommand({
  builder: (yargs) =>
    yargs
      .option('dialect', { type: 'boolean', default: false, describe: 'Print the schema of dialect files' })
      .example('$0 schema > tasksim.schema.json', 'Write the schema to a file'),
  handler({ dialect }) {
    print(JSON.stringify(dialect ? dialectJsonSchema() : scenarioJsonSchema(), null, 2))
    flush()
  },
})

/** Builds the JSON Schema of dialect files for editors. */
export function dialectJsonSchema(): object {
  return fileSchemaOf(
    dialectSchema,
    'tasksim-dialect',
    'The wire format of a service: paths, fields, states, errors, webhooks and signatures',
  )
}
