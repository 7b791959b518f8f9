import { CLIENTS, clientCode } from '../../control/code/clients.js'
import { BUILT_IN_DIALECTS } from '../../dialects/built-in.js'
import { FACTS } from '../../dialects/files/facts.generated.js'
import type { DialectCheck } from '../../dialects/table/dialect-table.generated.js'
import { remarkOn } from '../../dialects/table/ended.js'
import { systemNow } from '../../engine/clock/system-clock.js'
import { LOCAL_KEY } from '../../http/api-key.js'
import { defineCommand } from '../command.js'
import { colors, flush, print } from '../output.js'

/** Lists the dialects, each with the code that points its client to a local server. */
export const command = defineCommand({
  builder: (yargs) =>
    yargs
      .option('port', {
        type: 'number',
        requiresArg: true,
        default: 4010,
        describe: 'Port of the server in the code',
      })
      .example('$0 dialects', 'Show how to point each client to http://127.0.0.1:4010'),
  handler({ port }) {
    const origin = `http://127.0.0.1:${port}`
    const { bold, dim } = colors
    print(`${bold('tasks')}  the service at ${origin}/api/v1, for clients of your own`)
    const now = systemNow()
    for (const { name, title } of BUILT_IN_DIALECTS.values()) {
      const { checked, ended = [] } = FACTS[name] ?? {}
      print(`\n${bold(name)}  ${title}`)
      const setup = CLIENTS[name]
      if (setup !== undefined) for (const line of clientCode(setup, origin, LOCAL_KEY)) print(`  ${line}`)
      if (checked !== undefined) print(`  ${dim(checkedRemark(checked))}`)
      for (const api of ended) print(`  ${remarkOn(api, now)}`)
    }
    flush()
  },
})

function checkedRemark({ on, client, document }: DialectCheck): string {
  return `Checked on ${on} against ${[client, document].filter((each) => each !== undefined).join(' and ')}.`
}
