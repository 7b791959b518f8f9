import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import type { Argv } from 'yargs'
import { listen } from '../../hosts/express/listen.js'
import type { Simulator } from '../../simulator/simulator.js'
import { type ArgumentsOf, defineCommand } from '../command.js'
import { CommandLineError, errorText, startFailure } from '../errors.js'
import { commandEnvironment, hintsFor } from '../exec/command-environment.js'
import { commandIn, readVariable } from '../exec/environment.js'
import { reachRemedy } from '../exec/reach-remedy.js'
import { RunRecord } from '../exec/run-record.js'
import { type RunLimits, reportRun } from '../exec/run-report.js'
import type { RunningInterception } from '../intercept/intercept.js'
import { type LoadedSimulator, loadSimulator } from '../load-simulator.js'
import { ServerLog } from '../log.js'
import { checkIntercept, interceptOptions } from '../options/intercept-options.js'
import { repeatable, scenarioPositional } from '../options/options.js'
import {
  accessOf,
  accessOptions,
  checkAccess,
  checkSimulatorOptions,
  simulatorOptions,
} from '../options/server-options.js'
import { reportOptions, writeReport } from '../report/write-report.js'

/** Runs a command against a new simulator, and reports the mistakes of the command. */
export const command = defineCommand({ builder: options, handler: exec })

type ExecArguments = ArgumentsOf<typeof options>

function options(yargs: Argv) {
  return yargs
    .parserConfiguration({ 'populate--': true })
    .usage(
      '$0 exec [scenario] [options] -- COMMAND [ARGUMENTS...]\n\nRuns a command against a new simulator and reports the mistakes of the command. The command finds the simulator in TASKSIM_URL, TASKSIM_API_KEY and TASKSIM_WEBHOOK_SECRET. tasksim exits with the status of the command. If the command exits with 0, tasksim exits with 1 if the report contains errors or warnings, the tasks cost more than --max-cost, a receiver rejected a webhook, or no request reached the simulator.',
    )
    .positional('scenario', scenarioPositional)
    .option('env', {
      ...repeatable,
      default: [],
      describe:
        'Set another environment variable: NAME=base_url, NAME=api_key, NAME=webhook_secret or NAME=origin',
    })
    .options(simulatorOptions())
    .option('dialect', {
      ...repeatable,
      default: [],
      describe:
        'Service of the client, by name or path of a dialect file: set the variables that the client reads (see tasksim dialects)',
    })
    .options(interceptOptions())
    .options(accessOptions())
    .options(reportOptions())
    .option('max-cost', {
      type: 'number',
      requiresArg: true,
      describe: 'Fail if the tasks cost more than this, in US dollars',
    })
    .option('allow-undelivered', {
      type: 'boolean',
      default: false,
      describe: 'Do not fail if receivers rejected webhooks',
    })
    .option('allow-no-requests', {
      type: 'boolean',
      default: false,
      describe: 'Do not fail if no request reached the simulator',
    })
    .option('strict', {
      type: 'boolean',
      default: false,
      describe: 'Fail if rules or faults of the scenario never applied',
    })
    .option('verbose', { type: 'boolean', default: false, describe: 'Log requests and webhooks to stderr' })
    .example('$0 exec -- npm test', 'Run the tests against the default scenario')
    .example('$0 exec --intercept -- npm test', 'Run an app that calls the real hosts of services, unchanged')
    .example(
      '$0 exec flaky --seed 7 --env API_BASE_URL=base_url -- pytest',
      'Pass the base URL in the variable of the app',
    )
    .example(
      '$0 exec --speed 60 --max-cost 0.40 --report tasksim.xml -- npm test',
      'Fail above a cost and write a JUnit report, in CI',
    )
    .check((args) => check(args as ExecArguments))
}

function check(args: ExecArguments): true {
  const { env, 'max-cost': maxCost } = args
  const command = commandIn(args)
  if (command.length === 0)
    throw new CommandLineError('No command given. Write it after two dashes: tasksim exec -- npm test.')
  if (maxCost !== undefined && !(maxCost >= 0))
    throw new CommandLineError(`--max-cost must be an amount in US dollars, such as 0.40; got ${maxCost}.`)
  env.forEach(readVariable)
  checkIntercept(args)
  checkAccess(args)
  return checkSimulatorOptions(args)
}

async function exec(args: ExecArguments): Promise<void> {
  const { sim, dialects, overrides, logHandlerErrors, telemetry } = await loadSimulator(args)
  const record = new RunRecord(sim)
  if (args.verbose) logToStderr(sim)
  else sim.on('error', (error) => process.stderr.write(`tasksim: ${errorText(error)}\n`))
  logHandlerErrors()
  const server = await listen(sim, { port: 0, ...accessOf(args), ...(overrides && { overrides }) })
  const intercepted = await interceptIfAsked(args, sim, overrides)
  const { interceptor, interception } = intercepted ?? {}
  const { env, removed, set } = await commandEnvironment({
    sim,
    dialects: dialects.names,
    baseUrl: server.baseUrl,
    variables: args.env.map(readVariable),
    intercepted: interceptor,
  })
  const atBaseUrl = dialects.names.filter((name) => !interceptor?.dialects.includes(name))
  for (const line of hintsFor(atBaseUrl, removed)) process.stderr.write(`tasksim: ${line}\n`)
  const { status, error } = await runCommand(commandIn(args), env)
  const limits: RunLimits = {
    failOn: args['fail-on'],
    maxCost: args['max-cost'],
    allowUndelivered: args['allow-undelivered'],
    allowNoRequests: args['allow-no-requests'],
    isStrict: args.strict,
    status,
    reachRemedy: reachRemedy(
      { dialects: dialects.names, isIntercepted: interceptor !== undefined },
      process.env,
    ),
  }
  const report = await reportRun(
    record,
    limits,
    interception && { traffic: interception.traffic, variables: Object.keys(set) },
  )
  sim.close()
  await Promise.all([server.close(), intercepted?.close()])
  await telemetry?.shutdown()
  const problem = error ?? (await errorOf(writeReport(report, args, process.stderr)))
  if (problem !== undefined) process.stderr.write(`tasksim: ${problem}\n`)
  // The --handlers module may keep the process alive.
  process.exit(status !== 0 || (problem === undefined && report.failures.length === 0) ? status : 1)
}

/** Answers the requests of the command for the hosts of services. The code is loaded on first use. */
async function interceptIfAsked(
  args: ExecArguments,
  sim: Simulator,
  overrides: LoadedSimulator['overrides'],
): Promise<RunningInterception | undefined> {
  if (args.intercept === undefined) return undefined
  const { intercept } = await import('../intercept/intercept.js')
  return intercept(sim, args, { ...(args.cors && { cors: args.cors }), ...(overrides && { overrides }) })
}

/** Returns the text of an error instead of throwing it, so that tasksim keeps the exit status of the command. */
async function errorOf(work: Promise<void>): Promise<string | undefined> {
  return work.then(() => undefined, errorText)
}

function logToStderr(sim: Simulator): void {
  const isTerminal = process.stderr.isTTY === true
  const print = (line: string) =>
    void process.stderr.write(`${isTerminal ? line : stripVTControlCharacters(line)}\n`)
  new ServerLog(sim, 'text', print).follow()
}

/** The end of a command, or the reason why it could not start. */
interface CommandEnd {
  /** The exit status; 128 plus the number of the signal if a signal ended it. */
  readonly status: number
  /** The reason why it could not start. */
  readonly error?: string
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a command in this terminal, forwards signals to it, and waits until it exits. */
function runCommand([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandEnd> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl-C to all of its processes. A second SIGINT would make many test runners abort.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of FORWARDED) process.on(signal, forward)
  return new Promise<CommandEnd>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(startFailure(command, error))
    })
    child.once('exit', (status, signal) => resolve({ status: status ?? 128 + signalNumber(signal) }))
  }).finally(() => {
    for (const signal of FORWARDED) process.off(signal, forward)
  })
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal]
}
