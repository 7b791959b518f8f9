import { stripVTControlCharacters } from 'node:util'
import type { ArgumentsCamelCase, Argv } from 'yargs'
import { listen } from '../../hosts/express/listen.js'
import type { Simulator } from '../../simulator.js'
import { type AccessArguments, accessOf, accessOptions, checkAccess } from '../access-options.js'
import { environmentFor, readVariable } from '../exec/environment.js'
import { judgeRun } from '../exec/report.js'
import { runCommand } from '../exec/run-command.js'
import { RunRecord } from '../exec/run-record.js'
import { explain, misuse } from '../explain.js'
import type { LazyCommand } from '../lazy-command.js'
import { logEvents } from '../log.js'
import { makeSimulator } from '../make-simulator.js'
import {
  checkSimulatorOptions,
  type SimulatorArguments,
  scenarioPositional,
  simulatorOptions,
} from '../simulator-options.js'
import { deliver, type ReportArguments } from '../verdict/deliver.js'
import type { FailOn } from '../verdict/judged.js'
import { reportOptions } from '../verdict/report-options.js'

interface ExecArguments extends SimulatorArguments, AccessArguments, ReportArguments {
  env: string[]
  'fail-on': FailOn
  'max-cost': number | undefined
  'allow-undelivered': boolean
  'allow-no-requests': boolean
  verbose: boolean
  '--'?: string[]
}

/** Runs a command against a simulator of its own, and judges how it used it. */
export const execCommand: LazyCommand<ExecArguments> = {
  builder: (yargs) => options(yargs),
  handler: exec,
}

function options(yargs: Argv): Argv<ExecArguments> {
  return yargs
    .parserConfiguration({ 'populate--': true })
    .usage(
      '$0 exec [scenario] [options] -- COMMAND [ARGUMENTS...]\n\nThe command finds the simulator by TASKSIM_URL, TASKSIM_API_KEY and TASKSIM_WEBHOOK_SECRET. Its exit\nstatus is passed on; where it is 0, findings, a spent budget, undelivered webhooks and a run in which no\nrequest reached the simulator make it 1.',
    )
    .positional('scenario', scenarioPositional)
    .option('env', {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      default: [],
      describe: 'NAME=base_url (or api_key, webhook_secret, origin): a further variable; may be repeated',
    })
    .options(simulatorOptions())
    .options(accessOptions())
    .options(reportOptions())
    .option('max-cost', {
      type: 'number',
      requiresArg: true,
      describe: 'Fail where the tasks cost more, in US dollars',
    })
    .option('allow-undelivered', {
      type: 'boolean',
      default: false,
      describe: 'Do not fail where webhooks were sent that no receiver accepted',
    })
    .option('allow-no-requests', {
      type: 'boolean',
      default: false,
      describe: 'Do not fail where no request reached the simulator',
    })
    .option('verbose', { type: 'boolean', default: false, describe: 'Log requests and webhooks to stderr' })
    .example('$0 exec -- npm test', 'Run the tests against the default scenario')
    .example(
      '$0 exec flaky --seed 7 --env API_BASE_URL=base_url -- pytest',
      'Tell the app by its own variable',
    )
    .example('$0 exec --speed 60 --max-cost 0.40 --report tasksim.xml -- npm test', 'In CI')
    .check((args) => check(args as unknown as ExecArguments)) as unknown as Argv<ExecArguments>
}

function check(args: ExecArguments): true {
  const { env, 'max-cost': maxCost, '--': command = [] } = args
  if (command.length === 0)
    throw misuse('No command was given. Write it after two dashes: tasksim exec -- npm test.')
  if (maxCost !== undefined && !(maxCost >= 0))
    throw misuse('--max-cost must be an amount in US dollars, such as 0.40.')
  env.forEach(readVariable)
  checkAccess(args)
  return checkSimulatorOptions(args)
}

async function exec(args: ArgumentsCamelCase<ExecArguments>): Promise<void> {
  const { sim, overrides, onLogged } = await makeSimulator(args)
  const record = new RunRecord()
  record.watch(sim)
  if (args.verbose) logToStderr(sim)
  else sim.on('error', (error) => process.stderr.write(`tasksim: ${explain(error)}\n`))
  onLogged()
  const server = await listen(sim, { port: 0, ...accessOf(args), ...(overrides && { overrides }) })
  const variables = environmentFor(server.baseUrl, sim.scenario, args.env.map(readVariable))
  const { status, trouble } = await runCommand(args['--'] ?? [], { ...process.env, ...variables })
  // What happens from here on happens to a client that is no more.
  const judgement = await judgeRun(record, {
    failOn: args['fail-on'],
    maxCost: args['max-cost'],
    allowUndelivered: args['allow-undelivered'],
    allowNoRequests: args['allow-no-requests'],
    status,
  })
  sim.close()
  await server.close()
  const problem = trouble ?? (await problemOf(deliver(judgement, args, process.stderr)))
  if (problem !== undefined) process.stderr.write(`tasksim: ${problem}\n`)
  // Not by itself: a module of --handlers may hold on to something.
  process.exit(status !== 0 || (problem === undefined && judgement.failures.length === 0) ? status : 1)
}

/** Why something did not work out, where it did not: the status of the command must not get lost with it. */
async function problemOf(work: Promise<void>): Promise<string | undefined> {
  return work.then(() => undefined, explain)
}

function logToStderr(sim: Simulator): void {
  const isTerminal = process.stderr.isTTY === true
  logEvents(sim, 'text', (line) =>
    process.stderr.write(`${isTerminal ? line : stripVTControlCharacters(line)}\n`),
  )
}
