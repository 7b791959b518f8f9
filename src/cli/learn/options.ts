import type { InferredOptionTypes } from 'yargs'
import { CommandLineError } from '../errors.js'
import { changedOption } from '../options/options.js'

/** The source of the history. */
export const sourceArgument = {
  type: 'string',
  demandOption: true,
  describe:
    'Base URL of a service, path of a file with tasks (JSON Lines, a JSON list, pages of a list, HAR, or a recording), or - for stdin',
} as const

/** The options that say which history to read, and how. */
export function historyOptions() {
  return {
    dialect: {
      type: 'string',
      requiresArg: true,
      defaultDescription: 'tasks',
      describe: 'Format of the tasks: the name of a dialect, or the path of a dialect file',
    },
    ...serviceOptions(),
    since: {
      type: 'string',
      requiresArg: true,
      describe: 'Ignore tasks created before this time, such as 2026-01-31, or 30d for the last 30 days',
    },
    limit: { type: 'number', requiresArg: true, describe: 'Maximum number of tasks to read' },
    strict: {
      type: 'boolean',
      default: false,
      describe: 'Fail at the first invalid entry instead of skipping it',
    },
  } as const
}

/** The options for a source that is a service, not a file. */
function serviceOptions() {
  return {
    key: {
      type: 'string',
      requiresArg: true,
      default: process.env['TASKSIM_LEARN_KEY'] || undefined,
      defaultDescription: 'env TASKSIM_LEARN_KEY',
      describe: 'API key of the service',
    },
    history: {
      type: 'string',
      requiresArg: true,
      defaultDescription: 'OUT.partial.jsonl, deleted at the end',
      describe:
        'File that keeps the pages of a service, so that an interrupted run can continue. Without --out, as with --check, there is no default',
    },
  } as const
}

/** The history to learn from. */
export type HistoryArguments = InferredOptionTypes<ReturnType<typeof historyOptions>> & {
  readonly source: string
}

/** Whether the source of a history is a service. */
export function isServiceUrl(source: string): boolean {
  return /^https?:/.test(source)
}

/** @throws UsageError if an option is for a service, but the source is a file */
export function checkHistory(args: HistoryArguments): void {
  const changed = isServiceUrl(args.source) ? undefined : changedOption(args, serviceOptions())
  if (changed === undefined) return
  throw new CommandLineError(
    `--${changed} is for the URL of a service; got the source ${args.source}. Omit --${changed}.`,
  )
}
