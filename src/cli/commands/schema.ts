import { scenarioJsonSchema } from '../../scenario/language/schema/json-schema.js'
import type { LazyCommand } from '../lazy-command.js'
import { flush, print } from '../output.js'

/** Prints the JSON Schema of scenario files. */
export const schemaCommand: LazyCommand<object> = {
  builder: (yargs) => yargs.example('$0 schema > tasksim.schema.json', 'Write the schema to a file'),
  handler() {
    print(JSON.stringify(scenarioJsonSchema(), null, 2))
    flush()
  },
}
