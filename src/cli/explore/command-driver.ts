import { constants } from 'node:os'
import { startTimer, stopwatch } from '../../engine/clock/system-clock.js'
import { factsOf } from '../../explore/facts.js'
import { Progress } from '../../explore/progress.js'
import type { Driver, ObservedRun, RunEnd, RunOrder } from '../../explore/run.js'
import { listen } from '../../hosts/express/listen.js'
import { commandEnvironment } from '../exec/command-environment.js'
import type { Variable } from '../exec/environment.js'
import { type LoadedSimulator, loadSimulator } from '../load-simulator.js'
import { type AccessArguments, accessOf, type SimulatorArguments } from '../options/server-options.js'
import { ClientProcess } from './client-process.js'
import { CrashHooks, traceIn } from './crash-hooks.js'

/** What to run, and in which environment. */
export interface CommandSettings {
  readonly command: readonly string[]
  /** The arguments of the simulator of each run. */
  readonly simulator: SimulatorArguments & AccessArguments
  /** The port of each run; a free one if 0. */
  readonly port: number
  /** Further variables of the command. */
  readonly variables: readonly Variable[]
  /** A command line for the shell that runs before each run. */
  readonly before: string | undefined
  /** What else in stderr shows that the command has crashed. */
  readonly crashPatterns: readonly RegExp[]
  /** Called with each piece of output. */
  readonly onOutput: ((piece: string) => void) | undefined
  /** Ends the present runs once it is aborted. */
  readonly signal: AbortSignal
}

/** Runs a command, each time against a new simulator on a port of its own. */
export class CommandDriver implements Driver {
  readonly #settings: CommandSettings
  readonly #hooks = new CrashHooks()

  constructor(settings: CommandSettings) {
    this.#settings = settings
  }

  async run(order: RunOrder): Promise<ObservedRun> {
    const { before, simulator, port } = this.#settings
    const failure = before === undefined ? undefined : await this.#prepare(before)
    const begin = stopwatch()
    const loaded = await loadSimulator(simulator)
    const { sim, overrides } = loaded
    const exploration = await sim.explore({
      deviations: order.deviations.map(({ armed }) => armed),
      orders: order.orders,
      ignoresInput: order.ignoresInput,
    })
    const server = await listen(sim, { port, ...accessOf(simulator), ...(overrides && { overrides }) })
    try {
      const { end, output } = failure ?? (await this.#runClient(order, loaded, server.baseUrl))
      const facts = await factsOf(sim, exploration)
      return { end, facts, output, took: stopwatch() - begin }
    } finally {
      sim.close()
      await server.close()
    }
  }

  /** Deletes the files of the hooks. */
  close(): void {
    this.#hooks.close()
  }

  async #runClient(
    order: RunOrder,
    { sim, dialects }: LoadedSimulator,
    baseUrl: string,
  ): Promise<Pick<ObservedRun, 'end' | 'output'>> {
    const { command, variables, onOutput, crashPatterns, signal } = this.#settings
    const { env } = await commandEnvironment({ sim, dialects: dialects.names, baseUrl, variables })
    const { variables: hooks, noted } = this.#hooks.next(env)
    const client = new ClientProcess(command, { ...env, ...hooks, TASKSIM_RUN: order.id }, onOutput)
    const watch = hangOf(new Progress(sim), () => sim.clock.now(), order.patience)
    const aborted = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined)
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    try {
      const ended = await Promise.race([client.ended, watch.hang, aborted])
      await client.end()
      const crash = noted()
      const output = client.stdout.split(/\r?\n/).filter((line) => line !== '')
      if (ended === undefined)
        return { end: { type: 'hang', message: 'The exploration was interrupted.' }, output }
      if ('type' in ended) return { end: ended, output }
      const trace = ended.status === 0 ? undefined : traceIn(client.stderr, crashPatterns)
      return { end: endOf(ended, crash || trace, lastLine(client)), output }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const reason = code === 'ENOENT' ? 'command not found. Give a program on the PATH or its path' : message
      return {
        end: { type: 'unusable', message: `Cannot run ${JSON.stringify(command[0])}: ${reason}.` },
        output: [],
      }
    } finally {
      watch.stop()
    }
  }

  /** Restores the state of the user. @returns how the run ends if that fails */
  async #prepare(before: string): Promise<Pick<ObservedRun, 'end' | 'output'> | undefined> {
    const shell = process.platform === 'win32' ? ['cmd', '/d', '/s', '/c', before] : ['sh', '-c', before]
    const client = new ClientProcess(shell, process.env, this.#settings.onOutput)
    const { status } = await client.ended
    await client.end()
    if (status === 0) return undefined
    const message = `The command of --before failed with ${status ?? 'a signal'}: ${lastLine(client)}`
    return { end: { type: 'unusable', message }, output: [] }
  }
}

/** How often to look whether the client still makes progress, in milliseconds of real time. */
const INTERVAL = 50

/** Watches a client: its `hang` resolves if it makes no progress for longer than the patience. */
function hangOf(progress: Progress, now: () => number, patience: number) {
  let stop = () => {}
  const hang = new Promise<RunEnd>((resolve) => {
    const look = () => {
      const waited = now() - progress.last.at
      if (waited > patience) {
        const minutes = (patience / 60_000).toFixed(1).replace(/\.0$/, '')
        resolve({ type: 'hang', message: `It made no progress for ${minutes} min on the clock.` })
      } else stop = startTimer(INTERVAL, look, true)
    }
    look()
  })
  return {
    hang,
    stop() {
      stop()
      progress.stop()
    },
  }
}

/** The statuses of a shell for a command that a signal has ended, and that of Node for a promise that never settles. */
const CRASHES = { from: 129, to: 159, node: 13 }

function endOf(
  { status, signal }: { readonly status: number | null; readonly signal: NodeJS.Signals | null },
  trace: string | undefined,
  lastLine: string,
): RunEnd {
  if (signal !== null)
    return { type: 'crash', message: `It was ended by ${signal} (${constants.signals[signal]}).` }
  if (trace) return { type: 'crash', message: trace.slice(0, LONGEST) }
  if (status === 0) return { type: 'success' }
  const isCrash =
    status === CRASHES.node || (status !== null && status >= CRASHES.from && status <= CRASHES.to)
  if (isCrash) return { type: 'crash', message: `It exited with status ${status}.` }
  return { type: 'failure', status: status ?? undefined, message: lastLine }
}

const LONGEST = 200

/** What a command has said last. */
function lastLine({ stderr, stdout }: ClientProcess): string {
  const lines = (stderr.trim() === '' ? stdout : stderr).trim().split(/\r?\n/)
  return lines.at(-1)?.slice(0, LONGEST) ?? ''
}
