import type { InferredOptionTypes } from 'yargs'
import { describeValue } from '../../engine/errors.js'
import type { ByteSize } from '../../engine/memory/budget.js'
import { DEFAULT_KEEP_TASKS } from '../../engine/tasks/retention.js'
import type { AccessOptions } from '../../hosts/express/access.js'
import { findUnusableSetting, type SimulatorSettings } from '../../simulator/settings.js'
import { CommandLineError } from '../errors.js'
import { checkUrl, overridingSecretOption, repeatable, seedOption } from './options.js'

/** The options that set the address of a server. */
export function addressOptions(port: number, environment = '') {
  return {
    port: {
      type: 'number',
      alias: 'p',
      requiresArg: true,
      default: port,
      describe: `Port to listen on${environment}; 0 picks one`,
    },
    host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' },
  } as const
}

/** @throws UsageError if a port is invalid */
export function checkPort(option: string, port: unknown): void {
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return
  throw new CommandLineError(`${option} must be a whole number from 0 to 65535; got ${port}.`)
}

/** The options that allow web pages and additional host names, for every command that runs a server. */
export function accessOptions() {
  return {
    cors: {
      ...repeatable,
      describe: 'Origin whose web pages may use the API, such as http://localhost:5173, or * for all',
    },
    'allow-host': {
      ...repeatable,
      describe: 'Host name by which clients may address the server',
    },
  } as const
}

/** The arguments that allow clients to use the service API. */
export type AccessArguments = InferredOptionTypes<ReturnType<typeof accessOptions>>

/** @throws UsageError if an origin or a host name is invalid */
export function checkAccess({ cors = [], 'allow-host': hosts = [] }: AccessArguments): void {
  for (const origin of cors) {
    if (origin === '*') continue
    checkUrl('cors', origin)
    if (new URL(origin).pathname !== '/' || /[?#]/.test(origin))
      throw new CommandLineError(
        `--cors must be an origin without a path, such as ${new URL(origin).origin}; got ${origin}.`,
      )
  }
  const invalid = hosts.find((name) => !isHostName(name))
  if (invalid === undefined) return
  throw new CommandLineError(
    `--allow-host must be a host name without a scheme or a port, such as sim.test; got ${JSON.stringify(invalid)}.`,
  )
}

/** Converts the arguments to options of the server. */
export function accessOf({ cors, 'allow-host': allowHosts }: AccessArguments): AccessOptions {
  return { ...(cors && { cors }), ...(allowHosts && { allowHosts }) }
}

function isHostName(name: string): boolean {
  return URL.canParse(`http://${name}/`) && new URL(`http://${name}/`).hostname === name.toLowerCase()
}

/** The options of every command that serves a simulator. */
export function simulatorOptions() {
  return {
    seed: seedOption,
    clock: {
      choices: ['real', 'manual'] as const,
      defaultDescription: 'real',
      describe: 'Clock mode; a manual clock moves only when you advance it',
    },
    speed: {
      type: 'number',
      requiresArg: true,
      defaultDescription: '1',
      describe: 'Simulated seconds per real second',
    },
    webhook: {
      ...repeatable,
      default: [] as string[],
      describe: 'URL that receives the webhooks of every task',
    },
    'webhook-secret': overridingSecretOption(),
    'webhook-allow': {
      ...repeatable,
      defaultDescription: 'all except link-local addresses',
      describe: 'Pattern of URLs that webhooks may go to (* matches any characters)',
    },
    'keep-tasks': {
      type: 'number',
      requiresArg: true,
      default: DEFAULT_KEEP_TASKS,
      describe: 'Maximum number of ended tasks to keep; the oldest is deleted first',
    },
    'keep-bytes': {
      type: 'string',
      requiresArg: true,
      defaultDescription: '512MB, or half of the heap if that is less',
      describe: 'Maximum memory for tasks, files, webhooks and the journal',
    },
    dialect: {
      ...repeatable,
      default: [] as string[],
      describe:
        'Service of the client: the path of a dialect file, which adds it, or a name (see tasksim dialects)',
    },
    'root-dialect': {
      type: 'string',
      requiresArg: true,
      describe: 'Dialect to serve at the root as well, by name, for clients that can change only the host',
    },
    handlers: {
      type: 'string',
      describe: 'Module whose default export is an array of MSW handlers that override the API',
    },
    otel: {
      type: 'boolean',
      default: false,
      describe: 'Send traces and metrics to an OpenTelemetry collector, as the OTEL_* variables say',
    },
  } as const
}

/** The arguments of every command that serves a simulator. */
export type SimulatorArguments = InferredOptionTypes<ReturnType<typeof simulatorOptions>> & {
  readonly scenario: string | undefined
  readonly 'public-url'?: string | undefined
  readonly partition?: string | undefined
}

/** Converts the options to settings, without the checks of {@link checkSimulatorOptions}. */
export function settingsOf(args: SimulatorArguments): Omit<SimulatorSettings, 'receivers'> {
  const { clock, speed, 'webhook-secret': webhookSecret, 'webhook-allow': webhookAllow } = args
  return {
    keepTasks: args['keep-tasks'],
    ...(clock !== undefined && { clock }),
    ...(speed !== undefined && { speed }),
    ...(args['keep-bytes'] !== undefined && { keepBytes: args['keep-bytes'] as ByteSize }),
    ...(args['root-dialect'] !== undefined && { rootDialect: args['root-dialect'] }),
    ...(args.partition !== undefined && { partition: args.partition }),
    ...(args['public-url'] !== undefined && { publicUrl: args['public-url'] }),
    ...(webhookSecret !== undefined && { webhookSecret }),
    ...(webhookAllow !== undefined && { webhookAllow }),
  }
}

/** @throws UsageError if the value of an option is invalid, alone or with another option */
export function checkSimulatorOptions(args: SimulatorArguments): true {
  const unusable = findUnusableSetting(settingsOf(args))
  if (unusable !== undefined) {
    const option = unusable.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const source = unusable.name === 'partition' ? ' (or TASKSIM_PARTITION)' : ''
    throw new CommandLineError(
      `--${option}${source} must be ${unusable.expected}; got ${describeValue(unusable.given)}.`,
    )
  }
  for (const url of args.webhook) checkUrl('webhook', url)
  return true
}
