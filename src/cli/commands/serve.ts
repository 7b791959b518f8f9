import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { listen } from '../../hosts/express/listen.js'
import type { Simulator } from '../../simulator.js'
import {
  type AccessArguments,
  accessOf,
  accessOptions,
  checkAccess,
  tokenWarning,
} from '../access-options.js'
import { banner, dashboardUrl, readyRecord } from '../banner.js'
import { CommandLineError } from '../errors.js'
import { loadSimulator } from '../load-simulator.js'
import { type LogFormat, logEvents } from '../log.js'
import { openBrowser } from '../open-browser.js'
import { flush, print } from '../output.js'
import { settleDeliveries } from '../shutdown.js'
import { exitSoon, stopSignal } from '../signals.js'
import {
  addressOptions,
  checkPort,
  checkSimulatorOptions,
  checkUrl,
  repeatable,
  type SimulatorArguments,
  scenarioPositional,
  simulatorOptions,
} from '../simulator-options.js'

interface ServeArguments extends SimulatorArguments, AccessArguments {
  port: number
  host: string
  open: boolean
  'control-token': string | undefined
  'control-origin': string[] | undefined
  drain: string
  json: boolean
}

/** Serves a scenario over HTTP until a signal stops it. */
export const serveCommand: CommandModule<object, ServeArguments> = {
  command: ['$0 [scenario]', 'serve [scenario]'],
  describe: 'Serve a scenario over HTTP',
  builder: (yargs) => options(yargs),
  handler: serve,
}

function options(yargs: Argv): Argv<ServeArguments> {
  return yargs
    .positional('scenario', scenarioPositional)
    .options(addressOptions(portFromEnvironment(), ' (env TASKSIM_PORT)'))
    .option('open', {
      type: 'boolean',
      default: false,
      describe: 'Open the dashboard in a browser; ignored in CI',
    })
    .options(simulatorOptions())
    .option('public-url', {
      type: 'string',
      defaultDescription: 'origin of the request',
      describe: 'Base of output URLs',
    })
    .option('control-token', {
      type: 'string',
      default: process.env['TASKSIM_CONTROL_TOKEN'] || undefined,
      defaultDescription: 'env TASKSIM_CONTROL_TOKEN',
      describe: 'Token that the control API requires; generated when --host is reachable from other machines',
    })
    .option('control-origin', {
      ...repeatable,
      describe: 'Origin whose web pages may use the control API, such as http://localhost:5173',
    })
    .options(accessOptions())
    .option('drain', {
      type: 'string',
      requiresArg: true,
      default: '0s',
      describe:
        'Maximum time to wait for pending webhooks after SIGINT or SIGTERM; with a manual clock, only for those already due',
    })
    .option('json', { type: 'boolean', default: false, describe: 'Print log lines as JSON' })
    .example('$0', 'Every task succeeds after a few seconds')
    .example('$0 flaky --webhook http://localhost:3000/hooks', 'One task in five fails')
    .example('$0 ./scenario.yaml --speed 60', 'Simulate one minute per second')
    .example('$0 --dialect ./acme.yaml', 'Speak the format of a service of your own')
    .check(check)
}

function check(args: ServeArguments): true {
  const { port, host } = args
  checkPort('--port (or TASKSIM_PORT)', port)
  if (host.trim() === '')
    throw new CommandLineError('--host must be an address, such as 127.0.0.1 or 0.0.0.0.')
  for (const origin of args['control-origin'] ?? []) checkUrl('control-origin', origin)
  if (readDuration(args.drain) === undefined)
    throw new CommandLineError(`--drain must be ${DURATION_FORM}; got ${JSON.stringify(args.drain)}.`)
  checkAccess(args)
  return checkSimulatorOptions(args)
}

async function serve(args: ArgumentsCamelCase<ServeArguments>): Promise<void> {
  const { sim, files, dialects, overrides, logHandlerErrors } = await loadSimulator(args)
  const format = args.json ? 'json' : 'text'
  const { port, host, controlToken, controlOrigin } = args
  const server = await listen(sim, {
    port,
    host,
    ...accessOf(args),
    ...(overrides && { overrides }),
    ...(controlToken !== undefined && { controlToken }),
    ...(controlOrigin !== undefined && { controlOrigins: controlOrigin.map((url) => new URL(url).origin) }),
  })
  // After listen: a watcher would keep the process running if listen failed.
  const unwatch = await watchAll(sim, { scenario: args.scenario, files, dialects: dialects.files }, format)
  const warning = tokenWarning(controlToken)
  if (warning !== undefined) process.stderr.write(`tasksim: ${warning}\n`)
  // Print only a generated token: a token from the user must not appear in logs.
  const generatedToken = controlToken === undefined ? server.controlToken : undefined
  const announce = args.json ? readyRecord : banner
  const announced = { controlToken: generatedToken, dialects: dialects.names, root: args['root-dialect'] }
  print(await announce(sim, server.baseUrl, announced))
  // Scripts wait for this line.
  flush()
  if (args.open) openDashboard(dashboardUrl(server.baseUrl, server.controlToken))
  logEvents(sim, format)
  logHandlerErrors()
  await stopSignal()
  await settleDeliveries(sim, readDuration(args.drain) ?? 0, format)
  exitSoon()
  sim.close()
  await Promise.all([server.close(), unwatch()])
  flush()
}

/**
 * Watches the files that the command line gives.
 * @param given the scenario with its files, and the dialect files
 */
async function watchAll(
  sim: Simulator,
  {
    scenario,
    files,
    dialects,
  }: {
    readonly scenario: string
    readonly files: readonly string[]
    readonly dialects: readonly string[]
  },
  format: LogFormat,
): Promise<() => Promise<unknown>> {
  if (files.length + dialects.length === 0) return async () => {}
  const [{ watchFile }, { reloadableScenario, reloadableDialect }] = await Promise.all([
    import('../watch-files.js'),
    import('../reloadable-files.js'),
  ])
  const watched = await Promise.all([
    ...(files.length > 0 ? [reloadableScenario(sim, scenario, files)] : []),
    ...dialects.map((path) => reloadableDialect(sim, path)),
  ])
  const unwatch = await Promise.all(watched.map((file) => watchFile(sim, file, format)))
  return () => Promise.all(unwatch.map((stop) => stop()))
}

function openDashboard(url: string): void {
  openBrowser(url, (reason) => {
    process.stderr.write(`tasksim: Cannot open a browser (${reason}). Open ${url} yourself.\n`)
  })
}

/** Reads TASKSIM_PORT instead of PORT, which often sets the port of the app under development. */
function portFromEnvironment(): number {
  const port = process.env['TASKSIM_PORT'] ?? ''
  return port === '' ? 4010 : Number(port)
}
