import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Argv } from 'yargs'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import type { ArgumentsOf } from '../command.js'
import { CommandLineError } from '../errors.js'
import { commandIn, readVariable } from '../exec/environment.js'
import { checkIntercept, interceptOptions } from '../options/intercept-options.js'
import { repeatable, scenarioPositional } from '../options/options.js'
import {
  accessOptions,
  checkAccess,
  checkPort,
  checkSimulatorOptions,
  simulatorOptions,
} from '../options/server-options.js'
import { FAIL_ON } from '../report/report.js'
import { EXPLORE_FORMATS } from './write-exploration.js'

/** The arguments of `tasksim explore`. */
export type ExploreArguments = ArgumentsOf<typeof exploreOptions>

/** A task of the default scenario then takes about a second. */
const DEFAULT_SPEED = 20
/** The file with accepted problems, if no other is given. */
export const DEFAULT_ACCEPTED = 'explore.yaml'
/** In place of a file with accepted problems. */
export const NO_FILE = 'none'
const LARGEST_JOBS = 64

/** Defines the options of `tasksim explore`. */
export function exploreOptions(yargs: Argv) {
  const { clock: _, otel: __, ...simulator } = simulatorOptions()
  return yargs
    .parserConfiguration({ 'populate--': true })
    .usage(
      '$0 explore [scenario] [options] -- COMMAND [ARGUMENTS...]\n\nRuns a command without failures, lists every place where something can go wrong (each request, webhook, task and file), and runs the command again for each failure at each place, each time against a new simulator. The command finds the simulator as with tasksim exec; it should exit with another status than 0 if it reports a failure. tasksim exits with 1 if the command does something wrong, and with 2 if it fails without any failure of the service.',
    )
    .positional('scenario', scenarioPositional)
    .option('list', {
      type: 'boolean',
      default: false,
      describe: 'Run the command without failures only, and list the runs that would follow',
    })
    .option('only', {
      ...repeatable,
      describe: 'Id of a run, such as tasks.create#1:lost: make only this run',
    })
    .option('places', {
      ...repeatable,
      describe:
        'Only these places: a name, an operation such as tasks.create, or webhook, task, file, service; * matches any characters',
    })
    .option('deviations', {
      ...repeatable,
      describe: 'Only these deviations, which are the failures at a place, such as lost,503',
    })
    .option('skip', { ...repeatable, describe: 'Id of a run to leave out; * matches any characters' })
    .option('depth', {
      choices: [1, 2] as const,
      default: 1 as 1 | 2,
      describe: 'With 2, a second failure follows at requests that exist only because of the first',
    })
    .option('max-runs', {
      type: 'number',
      requiresArg: true,
      describe: 'Maximum number of runs with failures',
    })
    .option('budget', {
      type: 'string',
      requiresArg: true,
      default: '10m',
      describe: 'Begin no further run after this time',
    })
    .option('jobs', {
      type: 'number',
      requiresArg: true,
      default: 1,
      describe: 'Number of runs at the same time, if the command allows that',
    })
    .option('patience', {
      type: 'string',
      requiresArg: true,
      defaultDescription: 'measured',
      describe:
        'How long the command may go without a new answer about a task, a file or a webhook, in simulated time, until it counts as hung, such as 5m',
    })
    .option('before', {
      type: 'string',
      requiresArg: true,
      describe: 'Command line for the shell to run before each run, to restore the state of the command',
    })
    .option('crash-pattern', {
      ...repeatable,
      describe: 'Regular expression that matches stderr if the command has crashed',
    })
    .option('accepted', {
      type: 'string',
      requiresArg: true,
      default: DEFAULT_ACCEPTED,
      describe: 'File with problems that do not fail the exploration, or `none`',
    })
    .option('accept', {
      type: 'boolean',
      default: false,
      describe: 'Write the problems of this exploration to the file of --accepted',
    })
    .option('write', {
      type: 'string',
      requiresArg: true,
      describe:
        'Write a Vitest file for each problem to this folder, which fails until you fix the problem, and a scenario with its failure',
    })
    .option('env', {
      ...repeatable,
      default: [] as string[],
      describe:
        'Set another environment variable: NAME=base_url, NAME=api_key, NAME=webhook_secret or NAME=origin',
    })
    .option('port', {
      type: 'number',
      alias: 'p',
      requiresArg: true,
      default: 0,
      describe: 'Port of the simulator; 0 picks one for each run',
    })
    .options({ ...simulator, speed: { ...simulator.speed, defaultDescription: String(DEFAULT_SPEED) } })
    .options(interceptOptions())
    .options(accessOptions())
    .option('fail-on', {
      choices: FAIL_ON,
      default: 'warning' as (typeof FAIL_ON)[number],
      describe: 'Minimum severity that fails the exploration',
    })
    .option('report', {
      type: 'string',
      requiresArg: true,
      describe:
        'Write the report to this file: .json, .xml (JUnit), .md (Markdown), .html or text, unless --format is given',
    })
    .option('ui', {
      type: 'boolean',
      default: false,
      describe: 'Serve the report as a page that grows with each run; on a terminal, until Ctrl-C',
    })
    .option('format', { choices: EXPLORE_FORMATS, describe: 'Format of the report' })
    .option('verbose', { type: 'boolean', default: false, describe: 'Show the output of the command' })
    .example('$0 explore -- node client.js', 'Explore a client with the default scenario')
    .example('$0 explore --list -- npm test', 'List what would go wrong, and how long it would take')
    .example(
      "$0 explore --only 'tasks.create#1:lost' --verbose -- node client.js",
      'Repeat one run, with the output of the client',
    )
    .example(
      '$0 explore --dialect replicate --report explore.html -- python client.py',
      'Explore a client of Replicate, and write a page with a timeline of each run',
    )
    .check((args) => check(args as ExploreArguments))
}

function check(args: ExploreArguments): true {
  if (commandIn(args).length === 0)
    throw new CommandLineError(
      'No command given. Write it after two dashes: tasksim explore -- node client.js.',
    )
  const { jobs, port, 'max-runs': maxRuns, 'crash-pattern': patterns = [] } = args
  checkPort('--port', port)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > LARGEST_JOBS)
    throw new CommandLineError(`--jobs must be a whole number from 1 to ${LARGEST_JOBS}; got ${jobs}.`)
  if (jobs > 1 && port !== 0)
    throw new CommandLineError('--jobs needs a port of its own for each run: leave out --port.')
  if (maxRuns !== undefined && !(Number.isInteger(maxRuns) && maxRuns > 0))
    throw new CommandLineError(`--max-runs must be a whole number above 0; got ${maxRuns}.`)
  for (const path of [args.report, args.accept ? args.accepted : undefined])
    if (path !== undefined && !existsSync(dirname(path)))
      throw new CommandLineError(`There is no folder ${dirname(path)} for ${path}. Create it first.`)
  durationIn(args, 'budget')
  durationIn(args, 'patience')
  patterns.forEach(readPattern)
  args.env.forEach(readVariable)
  checkIntercept(args)
  checkAccess(args)
  return checkSimulatorOptions(simulatorArguments(args))
}

/** @throws UsageError if it is not a duration */
export function durationIn(args: ExploreArguments, name: 'budget' | 'patience'): number | undefined {
  const given = args[name]
  const duration = given === undefined ? undefined : readDuration(given)
  if (given !== undefined && duration === undefined)
    throw new CommandLineError(`--${name} must be ${DURATION_FORM}; got ${given}.`)
  return duration
}

/** @throws UsageError if it is not a regular expression */
export function readPattern(text: string): RegExp {
  try {
    return new RegExp(text, 'm')
  } catch (error) {
    throw new CommandLineError(`--crash-pattern: ${(error as Error).message}.`)
  }
}

/** The arguments of the simulator of each run. */
export function simulatorArguments(args: ExploreArguments) {
  return { ...args, speed: args.speed ?? DEFAULT_SPEED, clock: undefined, otel: false }
}
