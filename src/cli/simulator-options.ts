import { randomBytes } from 'node:crypto'
import type { ByteSize } from '../engine/memory/keep-bytes.js'
import { DEFAULT_KEEP_TASKS } from '../engine/tasks/keep-tasks.js'
import { HTTP_URL_FORM, httpUrl } from '../engine/webhooks/http-url.js'
import { maskUrl } from '../engine/webhooks/mask-url.js'
import { SHIPPED_NAMES } from '../scenario/language/shipped.js'
import { describeValue, findUnusableSetting, type SimulatorSettings } from '../simulator-settings.js'
import { CommandLineError } from './errors.js'

/** The arguments of every command that serves a simulator. */
export interface SimulatorArguments {
  scenario: string | undefined
  seed: string | undefined
  clock: 'real' | 'manual' | undefined
  speed: number | undefined
  webhook: string[]
  'webhook-secret': string | undefined
  'webhook-allow': string[] | undefined
  'public-url'?: string | undefined
  partition?: string | undefined
  'keep-tasks': number
  'keep-bytes': string | undefined
  handlers: string | undefined
  otel: boolean
  dialect: string[]
  'root-dialect': string | undefined
}

/** The scenario of commands for which none is given. */
export const DEFAULT_SCENARIO = 'default'

/** The positional that names the scenario. */
export const scenarioPositional = {
  type: 'string',
  default: DEFAULT_SCENARIO,
  describe: `Path of a scenario file or a recording, or one of: ${SHIPPED_NAMES.join(', ')}`,
} as const

/** The positional of a command for which it matters whether a scenario is given: without one, a stored one stays. */
export const optionalScenario = {
  ...scenarioPositional,
  default: undefined,
  defaultDescription: DEFAULT_SCENARIO,
} as const

/** The option that sets the random seed. */
export const seedOption = {
  type: 'string',
  defaultDescription: 'seed of the scenario',
  describe: 'Random seed; "random" picks one',
} as const

/** The value of the option that stands for any seed. */
export const RANDOM_SEED = 'random'

/** Chooses the seed. A random seed comes from the system, because the simulation must stay reproducible. */
export function chooseSeed(option: string): string {
  return option === RANDOM_SEED ? randomBytes(4).toString('hex') : option
}

/** The option that sets the webhook signing secret. */
export function secretOption() {
  return {
    type: 'string',
    default: process.env['TASKSIM_WEBHOOK_SECRET'] || undefined,
    defaultDescription: 'env TASKSIM_WEBHOOK_SECRET',
    describe: 'Webhook signing secret',
  } as const
}

/** Describes an option for a secret that overrides the secret of the scenario. */
export const SECRET_DESCRIPTION = 'Webhook signing secret; overrides that of the scenario'

/** An option that may be repeated. */
export const repeatable = { type: 'string', array: true, requiresArg: true, nargs: 1 } as const

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
export function checkPort(option: string, port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return
  throw new CommandLineError(`${option} must be a whole number from 0 to 65535; got ${port}.`)
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
    'webhook-secret': { ...secretOption(), describe: SECRET_DESCRIPTION },
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

/** @throws UsageError if the value of an option is not an HTTP URL */
export function checkUrl(option: string, url: string): void {
  if (httpUrl(url) !== undefined) return
  throw new CommandLineError(`--${option} must be ${HTTP_URL_FORM}; got ${JSON.stringify(maskUrl(url))}.`)
}
