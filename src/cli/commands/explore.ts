import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Argv } from 'yargs'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { stopwatch } from '../../engine/clock/system-clock.js'
import { UsageError } from '../../engine/errors.js'
import { type AcceptedProblem, readAccepted, writeAccepted } from '../../explore/accepted.js'
import { BaselineError } from '../../explore/baseline.js'
import { explore as exploreWith } from '../../explore/explore.js'
import type { ExplorationReport } from '../../explore/report.js'
import { statusOf } from '../../explore/status.js'
import type { Simulator } from '../../simulator/simulator.js'
import { type ArgumentsOf, defineCommand } from '../command.js'
import { CommandLineError } from '../errors.js'
import { hintsFor } from '../exec/command-environment.js'
import { commandIn, readVariable } from '../exec/environment.js'
import { CommandDriver } from '../explore/command-driver.js'
import { ownArguments, quoted } from '../explore/own-arguments.js'
import { announce, progressOn } from '../explore/progress.js'
import { EXPLORE_FORMATS, write, writeExploration, writeTests } from '../explore/write-exploration.js'
import { readTextFile } from '../files/read-file.js'
import type { Interception } from '../intercept/interception.js'
import { loadSimulator } from '../load-simulator.js'
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
import { exitSoon, stopSignal } from '../signals.js'

/** Runs a command again for each failure at each of its requests, and reports what it made of them. */
export const command = defineCommand({ builder: options, handler: explore })

type ExploreArguments = ArgumentsOf<typeof options>

/** A task of the default scenario then takes about a second. */
const DEFAULT_SPEED = 20
const DEFAULT_ACCEPTED = 'explore.yaml'
const LARGEST_JOBS = 64

function options(yargs: Argv) {
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
    .option('deviations', { ...repeatable, describe: 'Only these failures, such as lost,503' })
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
      describe: 'How long the command may make no progress until it hangs, on the clock of the simulator',
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
      describe: 'File with problems that do not fail the exploration',
    })
    .option('accept', {
      type: 'boolean',
      default: false,
      describe: 'Write the problems of this exploration to the file of --accepted',
    })
    .option('write', {
      type: 'string',
      requiresArg: true,
      describe: 'Write a Vitest file for each problem to this folder; it fails until the problem is mended',
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
function durationIn(args: ExploreArguments, name: 'budget' | 'patience'): number | undefined {
  const given = args[name]
  const duration = given === undefined ? undefined : readDuration(given)
  if (given !== undefined && duration === undefined)
    throw new CommandLineError(`--${name} must be ${DURATION_FORM}; got ${given}.`)
  return duration
}

function readPattern(text: string): RegExp {
  try {
    return new RegExp(text, 'm')
  } catch (error) {
    throw new CommandLineError(`--crash-pattern: ${(error as Error).message}.`)
  }
}

function simulatorArguments(args: ExploreArguments) {
  return { ...args, speed: args.speed ?? DEFAULT_SPEED, clock: undefined, otel: false }
}

async function explore(args: ExploreArguments): Promise<void> {
  const { sim, dialects } = await loadSimulator(simulatorArguments(args))
  const interception = await interceptionOf(args, sim)
  sim.close()
  const interrupt = new AbortController()
  void stopSignal().then(() => interrupt.abort())
  const { signal } = interrupt
  const intercepted = interception?.settings.hosts.dialects ?? []
  const atBaseUrl = dialects.names.filter((name) => !intercepted.includes(name))
  for (const line of hintsFor(atBaseUrl, [])) process.stderr.write(`tasksim: ${line}\n`)
  const command = commandIn(args)
  const driver = new CommandDriver({
    command,
    // A random seed is the same in each run.
    simulator: { ...simulatorArguments(args), seed: sim.seed },
    port: args.port,
    variables: args.env.map(readVariable),
    interception,
    before: args.before,
    crashPatterns: args['crash-pattern']?.map(readPattern) ?? [],
    onOutput: args.verbose ? (piece) => process.stderr.write(piece) : undefined,
    signal,
  })
  const own = ownArguments(process.argv.slice(3))
  const argumentsOf = (id: string) => ['explore', ...own, '--only', id, '--', ...command]
  try {
    const accepted = readAcceptedFile(args)
    const report = await exploreWith(
      {
        command,
        seed: sim.seed,
        dialect: (dialects.names[0] ?? intercepted.join(', ')) || sim.dialects.main,
        places: separated(args.places),
        deviations: separated(args.deviations),
        skip: separated(args.skip),
        only: separated(args.only),
        depth: args.depth,
        maxRuns: args['max-runs'],
        budget: durationIn(args, 'budget'),
        jobs: args.jobs,
        patience: durationIn(args, 'patience'),
        measurePatience: true,
        expectations: sim.scenario.explore,
        accepted,
        repeat: (id) => ['tasksim', ...argumentsOf(id)].map(quoted).join(' '),
        onPlan: (plan) => announce(plan, args.list),
        onRun: progressOn(process.stderr),
        listOnly: args.list,
        signal,
        now: stopwatch,
      },
      driver,
    )
    if (!args.list) {
      writeExploration(report, args, process.stdout)
      keep(report, args, accepted, argumentsOf)
    }
    process.exitCode = signal.aborted ? INTERRUPTED : statusOf(report, args['fail-on'])
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.exitCode = signal.aborted ? INTERRUPTED : USAGE
    if (signal.aborted) return
    process.stderr.write(`tasksim: ${error.message}\n`)
    if (error instanceof BaselineError && !args.verbose && driver.printed !== '')
      process.stderr.write(`tasksim: the command has printed:\n${driver.printed.trimEnd()}\n`)
  } finally {
    driver.close()
    if (interception !== undefined) await printTraffic(interception)
    interception?.close()
    // The --handlers module may keep the process alive.
    if (args.handlers !== undefined) exitSoon()
  }
}

/** Prepares to intercept the requests of the command for the hosts of services. The code is loaded on first use. */
async function interceptionOf(args: ExploreArguments, sim: Simulator): Promise<Interception | undefined> {
  if (args.intercept === undefined) return undefined
  const { openInterception } = await import('../intercept/intercept.js')
  return openInterception(sim.dialects, args)
}

/** Prints what was refused, or not imitated, in all runs. */
async function printTraffic({ traffic }: Interception): Promise<void> {
  const { problemLines } = await import('../report/interception-lines.js')
  for (const { title, seen, remedy } of problemLines(traffic))
    process.stderr.write(`tasksim: ${title}: ${seen.join(', ')}. ${remedy}\n`)
}

/** The values of an option that may be repeated, or have several values with commas. */
function separated(values: readonly string[] | undefined): readonly string[] | undefined {
  return values?.flatMap((value) => value.split(',').map((each) => each.trim())).filter((each) => each !== '')
}

/** The exit statuses of a command that cannot explore, and of one that Ctrl-C has ended. */
const [USAGE, INTERRUPTED] = [2, 130]

/** @throws UsageError if the file is wrong, or if one is given that does not exist */
function readAcceptedFile({ accepted: file, accept }: ExploreArguments): readonly AcceptedProblem[] {
  const isOptional = accept || file === DEFAULT_ACCEPTED
  if (isOptional && !existsSync(file)) return []
  return readAccepted(readTextFile(file, 'accepted problems', 'omit --accepted'), file)
}

/** Writes what later explorations and tests use. */
function keep(
  report: ExplorationReport,
  { accept, accepted: file, write: folder }: ExploreArguments,
  accepted: readonly AcceptedProblem[],
  argumentsOf: (id: string) => readonly string[],
): void {
  if (accept) {
    write(file, writeAccepted(report, accepted))
    process.stderr.write(`tasksim: wrote the accepted problems to ${file}.\n`)
  }
  if (folder === undefined) return
  for (const path of writeTests(folder, report.problems, argumentsOf))
    process.stderr.write(`tasksim: wrote ${path}.\n`)
}
