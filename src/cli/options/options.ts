import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Options } from 'yargs'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { maskUrl } from '../../engine/mask.js'
import { HTTP_URL_FORM, httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { SHIPPED_NAMES } from '../../scenario/shipped.js'
import { CommandLineError } from '../errors.js'

/** An option that may be repeated. */
export const repeatable = { type: 'string', array: true, requiresArg: true, nargs: 1 } as const

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

/** The option that selects the format of webhooks. */
export const webhookDialectOption = {
  type: 'string',
  requiresArg: true,
  defaultDescription: 'tasks',
  describe: 'Format of the webhooks: the name of a dialect, or the path of a dialect file',
} as const

/** The option that sets the webhook signing secret. */
export function secretOption() {
  return {
    type: 'string',
    default: process.env['TASKSIM_WEBHOOK_SECRET'] || undefined,
    defaultDescription: 'env TASKSIM_WEBHOOK_SECRET',
    describe: 'Webhook signing secret',
  } as const
}

/** The option that overrides the webhook signing secret of the scenario. */
export function overridingSecretOption() {
  return { ...secretOption(), describe: 'Webhook signing secret; overrides that of the scenario' } as const
}

/** The option of every command that calls the control API of a running server. */
export function controlTokenOption() {
  return {
    type: 'string',
    default: process.env['TASKSIM_CONTROL_TOKEN'] || undefined,
    defaultDescription: 'env TASKSIM_CONTROL_TOKEN',
    describe: 'Token of the control API of the running server',
  } as const
}

/** @throws UsageError if the command line gives a token, but no server */
export function checkControlToken(args: {
  readonly server: string | undefined
  readonly 'control-token': string | undefined
}): void {
  const options = { 'control-token': controlTokenOption() }
  if (args.server !== undefined || changedOption(args, options) === undefined) return
  throw new CommandLineError('--control-token is for a running server. Add --server URL, or omit the token.')
}

/** The option for a report, a scenario or a state as a file. */
export function outOptions(what: string) {
  return {
    out: {
      type: 'string',
      requiresArg: true,
      default: STDOUT,
      defaultDescription: 'stdout',
      describe: `Path of the ${what} to write, or - for stdout`,
    },
    force: forceOption,
  } as const
}

/** The value of `--out` that stands for the standard output. */
export const STDOUT = '-'

export const forceOption = {
  type: 'boolean',
  default: false,
  describe: 'Overwrite an existing file',
} as const

/** The name of the first option that has another value than its default; undefined if there is none. */
export function changedOption<Name extends string>(
  args: Readonly<Record<NoInfer<Name>, unknown>>,
  options: Readonly<Record<Name, Options>>,
): Name | undefined {
  const names = Object.keys(options) as Name[]
  return names.find((name) => !isDeepStrictEqual(args[name], options[name].default))
}

/** @throws UsageError if the value of an option is not an HTTP URL */
export function checkUrl(option: string, url: string): void {
  if (httpUrl(url) !== undefined) return
  throw new CommandLineError(`--${option} must be ${HTTP_URL_FORM}; got ${JSON.stringify(maskUrl(url))}.`)
}

/** Reads the value of an option in milliseconds. @throws UsageError if it is not a duration */
export function readDurationOption(option: string, text: string): number {
  const duration = readDuration(text)
  if (duration !== undefined) return duration
  throw new CommandLineError(`--${option} must be ${DURATION_FORM}; got ${JSON.stringify(text)}.`)
}
