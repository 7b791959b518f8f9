import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RequestHandler } from 'msw'
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'
import { UsageError } from '../../core/errors.js'
import { SHIPPED_NAMES } from '../../core/scenario/assemble.js'
import { isSpeed, SPEED_FORM } from '../../core/time/speed.js'
import { httpUrl } from '../../core/webhook/http-url.js'
import { listen } from '../../hosts/express/listen.js'
import { Simulator } from '../../simulator.js'
import { banner, readyRecord } from '../banner.js'
import { misuse } from '../explain.js'
import { findScenario } from '../find-scenario.js'
import { interruption } from '../interruption.js'
import { logEvents } from '../log.js'
import { flush, print } from '../output.js'
import { secretOption } from '../secret-option.js'
import { chooseSeed } from '../seed.js'
import { watchScenario } from '../watch-scenario.js'

interface ServeArguments {
  scenario: string
  port: number
  host: string
  seed: string | undefined
  clock: 'real' | 'manual'
  speed: number
  webhook: string[]
  'webhook-secret': string | undefined
  'public-url': string | undefined
  handlers: string | undefined
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
    .positional('scenario', {
      type: 'string',
      default: 'default',
      describe: `A path, or one of: ${SHIPPED_NAMES.join(', ')}`,
    })
    .option('port', {
      type: 'number',
      default: portFromEnvironment(),
      describe: 'Port to listen on (env PORT); 0 picks one',
    })
    .option('host', { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' })
    .option('seed', {
      type: 'string',
      describe: "Seed of all chance, instead of the scenario's; random picks one",
    })
    .option('clock', {
      choices: ['real', 'manual'] as const,
      default: 'real' as const,
      describe: 'Whether time runs by itself',
    })
    .option('speed', { type: 'number', default: 1, describe: 'Seconds of service that pass in a second' })
    .option('webhook', {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      default: [],
      describe: 'URL that gets the webhooks of every task; may be repeated',
    })
    .option('webhook-secret', secretOption())
    .option('public-url', {
      type: 'string',
      describe: 'What output URLs start with, instead of the origin of the request',
    })
    .option('handlers', {
      type: 'string',
      describe: 'Module whose default export is an array of MSW handlers that answer first',
    })
    .option('json', { type: 'boolean', default: false, describe: 'Log lines as JSON' })
    .example('$0', 'Every task succeeds after a few seconds')
    .example('$0 flaky --webhook http://localhost:3000/hooks', 'One task in five fails')
    .example('$0 ./scenario.yaml --speed 60', 'A minute passes in a second')
    .check(check)
}

function check({ port, host, speed, clock, webhook, 'public-url': publicUrl }: ServeArguments): true {
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw misuse('--port must be a whole number from 0 to 65535.')
  if (!isSpeed(speed)) throw misuse(`--speed must be ${SPEED_FORM}.`)
  if (host.trim() === '') throw misuse('--host must be an address, such as 127.0.0.1 or 0.0.0.0.')
  if (clock === 'manual' && speed !== 1)
    throw misuse('--speed makes no sense with --clock manual, which stands still.')
  for (const [option, url] of [...webhook.map((url) => ['webhook', url]), ['public-url', publicUrl]]) {
    if (url !== undefined && httpUrl(url) === undefined) {
      throw misuse(
        `--${option} must be a URL that starts with http:// or https://; got ${JSON.stringify(url)}.`,
      )
    }
  }
  return true
}

async function serve(args: ArgumentsCamelCase<ServeArguments>): Promise<void> {
  const { scenario, files } = await findScenario(args.scenario)
  const overrides = args.handlers === undefined ? undefined : await loadHandlers(args.handlers)
  const seed = chooseSeed(args.seed)
  const sim = new Simulator(scenario, {
    clock: args.clock,
    speed: args.speed,
    receivers: args.webhook.map((url) => ({ url: httpUrl(url) ?? url })),
    ...(seed !== undefined && { seed }),
    ...(args.webhookSecret !== undefined && { webhookSecret: args.webhookSecret }),
    ...(args.publicUrl !== undefined && { publicUrl: args.publicUrl.replace(/\/+$/, '') }),
  })
  const unwatch = files.length > 0 ? await watchScenario(sim, args.scenario, files) : undefined
  const server = await listen(sim, { port: args.port, host: args.host, ...(overrides && { overrides }) })
  print(args.json ? readyRecord(sim, server.baseUrl) : banner(sim, server.baseUrl))
  logEvents(sim, args.json ? 'json' : 'text')
  await interruption()
  sim.close()
  await Promise.all([server.close(), unwatch?.()])
  flush()
}

function portFromEnvironment(): number {
  const { PORT } = process.env
  return PORT === undefined || PORT === '' ? 4010 : Number(PORT)
}

async function loadHandlers(path: string): Promise<RequestHandler[]> {
  const module = await import(pathToFileURL(resolve(path)).href).catch((error: Error) => {
    throw new UsageError(`Cannot load the handlers ${path}: ${error.message}`)
  })
  const handlers: unknown = module.default ?? module.handlers
  if (Array.isArray(handlers) && handlers.every((handler) => typeof handler?.run === 'function'))
    return handlers
  throw new UsageError(`${path} exports no handlers: its default export must be an array of MSW handlers.`)
}
