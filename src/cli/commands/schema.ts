import { scenarioJsonSchema } from '../../scenario/language/schema/json-schema.js'
import type { LazyCommand } from '../lazy-command.js'
import { flush, print } from '../output.js'

/** Prints what editors complete and check scenario files by. */
export const schemaCommand: LazyCommand<object> = {
  builder: (yargs) => yargs.example('$0 schema > tasksim.schema.json', 'Keep it beside the files'),
  handler() {
    print(JSON.stringify(scenarioJsonSchema(), null, 2))
    flush()
  },
}
