import { CLIENTS, clientCode } from '../../control/code/clients.js'
import { BUILT_IN_DIALECTS } from '../../dialects/built-in.js'
import { Dialects } from '../../dialects/dialects.js'
import { FACTS } from '../../dialects/files/facts.generated.js'
import type { DialectCheck, DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { remarkOn } from '../../dialects/table/ended.js'
import { systemNow } from '../../engine/clock/system-clock.js'
import { LOCAL_KEY } from '../../http/api-key.js'
import { defineCommand } from '../command.js'
import { clientAddress, readGivenDialects } from '../dialects/given-dialects.js'
import { colors, flush, print } from '../output.js'

/** Lists dialects, each with what points its client to a local server. */
export const command = defineCommand({
  builder: (yargs) =>
    yargs
      .positional('dialects', {
        type: 'string',
        array: true,
        default: [],
        defaultDescription: 'all that are built in',
        describe: 'Names of dialects, or paths of dialect files',
      })
      .option('port', {
        type: 'number',
        requiresArg: true,
        default: 4010,
        describe: 'Port of the server in the code',
      })
      .example('$0 dialects', 'Show how to point each client to http://127.0.0.1:4010')
      .example('$0 dialects ./acme.yaml', 'Show the same for the dialect of a file'),
  async handler({ dialects: given, port }) {
    const origin = `http://127.0.0.1:${port}`
    const { names, tables } = await readGivenDialects(given)
    const dialects = new Dialects(tables)
    for (const name of names) dialects.check(name)
    const all = [dialects.main, ...BUILT_IN_DIALECTS.keys()]
    const blocks = (names.length === 0 ? all : names).map((name) => blockOf(name, dialects, origin))
    print(blocks.join('\n\n'))
    flush()
  },
})

/** What a user has to know about a dialect. */
function blockOf(name: string, dialects: Dialects, origin: string): string {
  const { bold, dim } = colors
  if (name === dialects.main) return `${bold(name)}  the service at ${origin}/api/v1, for clients of your own`
  const table: DialectTable | undefined = dialects.own(name)
  const { checked, ended = [] } = table ?? FACTS[name] ?? {}
  const setup = CLIENTS[name]
  const address =
    setup === undefined
      ? [`The base URL for clients is ${origin}${clientAddress(dialects, name).path}`]
      : clientCode(setup, origin, LOCAL_KEY)
  const now = systemNow()
  return [
    `${bold(name)}  ${table?.title ?? BUILT_IN_DIALECTS.get(name)?.title}`,
    ...address.map((line) => `  ${line}`),
    ...(checked === undefined ? [] : [`  ${dim(checkedRemark(checked))}`]),
    ...ended.map((api) => `  ${remarkOn(api, now)}`),
  ].join('\n')
}

function checkedRemark({ on, client, document }: DialectCheck): string {
  const what = [client, document].filter((each) => each !== undefined).join(' and ')
  return `Checked on ${on}${what === '' ? '' : ` against ${what}`}.`
}
