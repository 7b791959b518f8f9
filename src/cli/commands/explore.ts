import { existsSync } from 'node:fs'
import { stopwatch } from '../../engine/clock/system-clock.js'
import { counted } from '../../engine/counted.js'
import { UsageError } from '../../engine/errors.js'
import { BaselineError } from '../../explore/baseline.js'
import { type AcceptedProblem, readAccepted, writeAccepted } from '../../explore/excused-runs.js'
import { explore as exploreWith } from '../../explore/explore.js'
import type { ExplorationPlan, RunProgress } from '../../explore/options.js'
import { type ExplorationReport, type ReportedRun, statusOf } from '../../explore/report.js'
import type { Simulator } from '../../simulator/simulator.js'
import { defineCommand } from '../command.js'
import { hintsFor } from '../exec/command-environment.js'
import { commandIn, readVariable } from '../exec/environment.js'
import { reachRemedy } from '../exec/reach-remedy.js'
import { CommandDriver } from '../explore/command-driver.js'
import type { LiveReport } from '../explore/live-report.js'
import {
  DEFAULT_ACCEPTED,
  durationIn,
  type ExploreArguments,
  exploreOptions,
  NO_FILE,
  readPattern,
  simulatorArguments,
} from '../explore/options.js'
import { ownArguments, quoted } from '../explore/own-arguments.js'
import { write, writeExploration } from '../explore/write-exploration.js'
import { type ExploredCommand, writeProblems } from '../explore/write-problems.js'
import { readTextFile } from '../files/read-file.js'
import type { Interception } from '../intercept/interception.js'
import { loadSimulator } from '../load-simulator.js'
import { DEFAULT_SCENARIO } from '../options/options.js'
import { exitSoon, stopSignal } from '../signals.js'

/** Runs a command again for each failure at each of its requests, and reports what it made of them. */
export const command = defineCommand({ builder: exploreOptions, handler: explore })

async function explore(args: ExploreArguments): Promise<void> {
  const { sim, dialects } = await loadSimulator(simulatorArguments(args))
  const interception = await interceptionOf(args, sim)
  sim.close()
  const interrupt = new AbortController()
  const stopped = stopSignal().then(() => interrupt.abort())
  const { signal } = interrupt
  const explored = exploredBy(args, sim.seed)
  const driver = driverFor(args, sim.seed, interception, signal)
  const intercepted = interception?.settings.hosts.dialects ?? []
  const atBaseUrl = dialects.names.filter((name) => !intercepted.includes(name))
  // For a client that does not get as far as the first plan: it may call another address.
  let hints = hintsFor(atBaseUrl, [])
  const live = args.ui ? await openLiveReport() : undefined
  try {
    const accepted = readAcceptedFile(args)
    const reached = { dialects: dialects.names, isIntercepted: interception !== undefined }
    const report = await exploreWith(
      {
        ...runsOf(args),
        command: explored.command,
        seed: sim.seed,
        measurePatience: true,
        reachRemedy: reachRemedy(reached, process.env),
        expectations: sim.scenario.explore,
        accepted,
        repeat: (id) => ['tasksim', ...explored.argumentsOf(id)].map(quoted).join(' '),
        onPlan(plan) {
          hints = []
          announce(plan, args.list)
        },
        onRun: progressOn(process.stderr),
        onReport: (soFar, known) => live?.show(soFar, known),
        listOnly: args.list,
        signal,
        now: stopwatch,
      },
      driver,
    )
    if (!args.list) {
      writeExploration(report, args, process.stdout)
      keep(report, args, accepted, explored)
    }
    process.exitCode = signal.aborted ? INTERRUPTED : statusOf(report, args['fail-on'])
    live?.show(report, report.runs)
    if (live !== undefined && process.stderr.isTTY && !signal.aborted) {
      process.stderr.write(`tasksim: the report stays at ${live.url} until you press Ctrl-C.\n`)
      await stopped
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.exitCode = signal.aborted ? INTERRUPTED : USAGE
    if (signal.aborted) return
    for (const line of [error.message, ...hints]) process.stderr.write(`tasksim: ${line}\n`)
    if (error instanceof BaselineError && !args.verbose && driver.printed !== '')
      process.stderr.write(`tasksim: the command has printed:\n${driver.printed.trimEnd()}\n`)
  } finally {
    live?.close()
    driver.close()
    if (interception !== undefined) await printTraffic(interception)
    interception?.close()
    // The --handlers module may keep the process alive.
    if (args.handlers !== undefined) exitSoon()
  }
}

/** Which runs to make, and how many. */
function runsOf(args: ExploreArguments) {
  return {
    places: separated(args.places),
    deviations: separated(args.deviations),
    skip: separated(args.skip),
    only: separated(args.only),
    depth: args.depth,
    maxRuns: args['max-runs'],
    budget: durationIn(args, 'budget'),
    jobs: args.jobs,
    patience: durationIn(args, 'patience'),
  }
}

/** What is explored, and how to repeat one of its runs. */
function exploredBy(args: ExploreArguments, seed: string): ExploredCommand {
  const [command, own] = [commandIn(args), ownArguments(process.argv.slice(3))]
  return {
    command,
    own,
    scenario: args.scenario ?? DEFAULT_SCENARIO,
    seed: args.seed === undefined ? undefined : seed,
    speed: simulatorArguments(args).speed,
    argumentsOf: (id, ...more) => ['explore', ...own, ...more, '--only', id, '--', ...command],
  }
}

/** Runs the command against a simulator of its own each time. */
function driverFor(
  args: ExploreArguments,
  seed: string,
  interception: Interception | undefined,
  signal: AbortSignal,
): CommandDriver {
  return new CommandDriver({
    command: commandIn(args),
    // A random seed is the same in each run.
    simulator: { ...simulatorArguments(args), seed },
    port: args.port,
    variables: args.env.map(readVariable),
    interception,
    before: args.before,
    crashPatterns: args['crash-pattern']?.map(readPattern) ?? [],
    onOutput: args.verbose ? (piece) => process.stderr.write(piece) : undefined,
    signal,
  })
}

/** Opens the page that grows with each run. The code is loaded on first use. */
async function openLiveReport(): Promise<LiveReport> {
  const { LiveReport } = await import('../explore/live-report.js')
  const live = await LiveReport.open()
  process.stderr.write(`tasksim: the report grows at ${live.url}\n`)
  return live
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
  if (file === NO_FILE) return []
  const isOptional = accept || file === DEFAULT_ACCEPTED
  if (isOptional && !existsSync(file)) return []
  return readAccepted(readTextFile(file, 'accepted problems', 'omit --accepted'), file)
}

/** Writes what later explorations and tests use. */
function keep(
  report: ExplorationReport,
  { accept, accepted: file, write: folder }: ExploreArguments,
  accepted: readonly AcceptedProblem[],
  explored: ExploredCommand,
): void {
  if (accept) {
    write(file, writeAccepted(report, accepted))
    process.stderr.write(`tasksim: wrote the accepted problems to ${file}.\n`)
  }
  if (folder === undefined) return
  for (const path of writeProblems(folder, report, explored))
    process.stderr.write(`tasksim: wrote ${path}.\n`)
}

/** Says what follows, and lists it on stdout if that is all that was asked for. */
function announce({ runs, expected, remarks, measures }: ExplorationPlan, isList: boolean): void {
  if (isList) {
    for (const id of runs) process.stdout.write(`${id}\n`)
    // Otherwise, the report has them.
    for (const remark of remarks) process.stderr.write(`tasksim: ${remark}\n`)
  }
  const seconds = Math.max(1, Math.round(expected / 1_000))
  const time = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  const first = measures && !isList ? '. The first two measure how long the client waits' : ''
  process.stderr.write(`tasksim: ${counted(runs.length, 'run')}, about ${time}${first}\n`)
}

/** How often to say how far the exploration is if stderr is not a terminal, in milliseconds. */
const INTERVAL = 10_000

/** Shows how far an exploration is: in a line that changes on a terminal, otherwise in a line now and then. */
function progressOn(stream: NodeJS.WriteStream) {
  let last = stopwatch()
  return ({ id, result }: ReportedRun, { done, total }: RunProgress) => {
    if (stream.isTTY === true) {
      const line = `${done} of ${total}  ${id}: ${result}`.slice(0, (stream.columns ?? 80) - 1)
      stream.write(`\r\x1b[K${done >= total ? '' : line}`)
    } else if (stopwatch() - last >= INTERVAL) {
      last = stopwatch()
      stream.write(`tasksim: ${done} of ${counted(total, 'run')}\n`)
    }
  }
}
