import { describeValue } from '../../engine/errors.js'
import type { ByteSize } from '../../engine/memory/budget.js'
import { DEFAULT_KEEP_TASKS } from '../../engine/tasks/retention.js'
import { findUnusableSetting, type SimulatorSettings } from '../../simulator/settings.js'
import { CommandLineError } from '../errors.js'
import { checkUrl } from './check-url.js'
import { repeatable } from './repeatable.js'
import { SECRET_DESCRIPTION, secretOption } from './secret-option.js'
import { seedOption } from './seed-option.js'

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
