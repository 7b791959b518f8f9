import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { listen } from '../../hosts/express/listen.js'
import {
  type AccessArguments,
  accessOf,
  accessOptions,
  checkAccess,
  tokenWarning,
} from '../access-options.js'
import { banner, dashboardUrl, readyRecord } from '../banner.js'
import { misuse } from '../errors.js'
import { logEvents } from '../log.js'
import { makeSimulator } from '../make-simulator.js'
import { openBrowser } from '../open-browser.js'
import { flush, print } from '../output.js'
import { settleDeliveries } from '../shutdown.js'
import { exitSoon, stopSignal } from '../signals.js'
import {
  checkSimulatorOptions,
  checkUrl,
  type SimulatorArguments,
  scenarioPositional,
  simulatorOptions,
} from '../simulator-options.js'
import { watchScenario } from '../watch-scenario.js'

interface ServeArguments extends SimulatorArguments, AccessArguments {
  port: number
  host: string
  open: boolean
  'control-token': string | undefined
  'control-origin': string[] | undefined
  drain: string
  json: boolean
}

/** Serves a scenario over HTTP until it is told to end. */
export const serveCommand: CommandModule<object, ServeArguments> = {
  command: ['$0 [scenario]', 'serve [scenario]'],
  describe: 'Serve a scenario: the name of a shipped one, or the path of a file',
  builder: (yargs) => options(yargs),
  handler: serve,
}

function options(yargs: Argv): Argv<ServeArguments> {
  return yargs
    .positional('scenario', scenarioPositional)
    .option('port', {
      type: 'number',
      alias: 'p',
      requiresArg: true,
      default: portFromEnvironment(),
      describe: 'Port to listen on (env TASKSIM_PORT); 0 picks one',
    })
    .option('host', { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' })
    .option('open', {
      type: 'boolean',
      default: false,
      describe: 'Open the dashboard in the browser; ignored in CI',
    })
    .options(simulatorOptions())
    .option('public-url', {
      type: 'string',
      describe: 'What output URLs start with, instead of the origin of the request',
    })
    .option('control-token', {
      type: 'string',
      default: process.env['TASKSIM_CONTROL_TOKEN'] || undefined,
      defaultDescription: 'env TASKSIM_CONTROL_TOKEN',
      describe: 'What /_sim wants to be shown; made up where --host is more than this machine',
    })
    .option('control-origin', {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      describe: 'Origin whose web pages may use /_sim, such as http://localhost:5173; may be repeated',
    })
    .options(accessOptions())
    .option('drain', {
      type: 'string',
      requiresArg: true,
      default: '0s',
      describe:
        'How long SIGINT and SIGTERM wait for webhooks that are on the wire or due by then; with --clock manual, due already',
    })
    .option('json', { type: 'boolean', default: false, describe: 'Log lines as JSON' })
    .example('$0', 'Every task succeeds after a few seconds')
    .example('$0 flaky --webhook http://localhost:3000/hooks', 'One task in five fails')
    .example('$0 ./scenario.yaml --speed 60', 'A minute passes in a second')
    .check(check)
}

function check(args: ServeArguments): true {
  const { port, host } = args
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw misuse('--port (or TASKSIM_PORT) must be a whole number from 0 to 65535.')
  if (host.trim() === '') throw misuse('--host must be an address, such as 127.0.0.1 or 0.0.0.0.')
  for (const origin of args['control-origin'] ?? []) checkUrl('control-origin', origin)
  if (readDuration(args.drain) === undefined)
    throw misuse(`--drain must be ${DURATION_FORM}; got ${JSON.stringify(args.drain)}.`)
  checkAccess(args)
  return checkSimulatorOptions(args)
}

async function serve(args: ArgumentsCamelCase<ServeArguments>): Promise<void> {
  const { sim, files, overrides, onLogged } = await makeSimulator(args)
  const format = args.json ? 'json' : 'text'
  const unwatch = files.length > 0 ? await watchScenario(sim, args.scenario, files, format) : undefined
  const { port, host, controlToken, controlOrigin } = args
  const server = await listen(sim, {
    port,
    host,
    ...accessOf(args),
    ...(overrides && { overrides }),
    ...(controlToken !== undefined && { controlToken }),
    ...(controlOrigin !== undefined && { controlOrigins: controlOrigin.map((url) => new URL(url).origin) }),
  })
  const warning = tokenWarning(controlToken)
  if (warning !== undefined) process.stderr.write(`tasksim: ${warning}\n`)
  // A token that was given is known, and need not be shown to whoever reads the log.
  const madeUp = controlToken === undefined ? server.controlToken : undefined
  print(args.json ? readyRecord(sim, server.baseUrl, madeUp) : banner(sim, server.baseUrl, madeUp))
  // Somebody waits for this line.
  flush()
  if (args.open) openDashboard(dashboardUrl(server.baseUrl, server.controlToken))
  logEvents(sim, format)
  onLogged()
  await stopSignal()
  await settleDeliveries(sim, readDuration(args.drain) ?? 0, format)
  exitSoon()
  sim.close()
  await Promise.all([server.close(), unwatch?.()])
  flush()
}

function openDashboard(url: string): void {
  openBrowser(url, (reason) => {
    process.stderr.write(`tasksim: Cannot open a browser (${reason}). Open the dashboard yourself: ${url}\n`)
  })
}

/** Not PORT: the app that is developed reads that. */
function portFromEnvironment(): number {
  const port = process.env['TASKSIM_PORT'] ?? ''
  return port === '' ? 4010 : Number(port)
}
