import type { CommandModule } from 'yargs'
import { scenarioJsonSchema } from '../../core/scenario/json-schema.js'
import { flush, print } from '../output.js'

/** Prints what editors complete and check scenario files by. */
export const schemaCommand: CommandModule<object, object> = {
  command: 'schema',
  describe: 'Print the JSON Schema of scenario files, which editors complete and check them by',
  builder: (yargs) => yargs.example('$0 schema > tasksim.schema.json', 'Keep it beside the files'),
  handler() {
    print(JSON.stringify(scenarioJsonSchema(), null, 2))
    flush()
  },
}
