import { startTimer, stopwatch } from '../../engine/clock/system-clock.js'
import { factsOf } from '../../explore/facts.js'
import { Progress } from '../../explore/progress.js'
import { beginRun, type Driver, type ObservedRun, type RunEnd, type RunSpec } from '../../explore/run.js'
import { listen } from '../../hosts/express/listen.js'
import { formatDuration } from '../../inspect/findings/evidence.js'
import type { Simulator } from '../../simulator/simulator.js'
import { startFailure } from '../errors.js'
import { commandEnvironment } from '../exec/command-environment.js'
import type { Variable } from '../exec/environment.js'
import type { Interception } from '../intercept/interception.js'
import type { Interceptor } from '../intercept/interceptor.js'
import { type LoadedSimulator, loadSimulator } from '../load-simulator.js'
import { type AccessArguments, accessOf, type SimulatorArguments } from '../options/server-options.js'
import { ClientProcess } from './client-process.js'
import { CrashHooks } from './crash-hooks.js'
import { endOf, lastLineOf } from './run-end.js'

/** What to run, and in which environment. */
export interface CommandSettings {
  readonly command: readonly string[]
  /** The arguments of the simulator of each run. */
  readonly simulator: SimulatorArguments & AccessArguments
  /** The port of each run; a free one if 0. */
  readonly port: number
  /** Further variables of the command. */
  readonly variables: readonly Variable[]
  /** What intercepts the requests of the command for the hosts of services; undefined if nothing does. */
  readonly interception: Interception | undefined
  /** A command line for the shell that runs before each run. */
  readonly before: string | undefined
  /** What else in stderr shows that the command has crashed. */
  readonly crashPatterns: readonly RegExp[]
  /** Called with each piece of output. */
  readonly onOutput: ((piece: string) => void) | undefined
  /** Ends the present runs once it is aborted. */
  readonly signal: AbortSignal
}

type ClientRun = Pick<ObservedRun, 'end' | 'output' | 'lasted'>

/** Runs a command, each time against a new simulator on a port of its own. */
export class CommandDriver implements Driver {
  readonly #settings: CommandSettings
  readonly #hooks = new CrashHooks()
  readonly #aborted: Promise<undefined>
  /** How long the longest run without deviations took, in milliseconds of real time. */
  #baseline: number | undefined
  #printed = ''

  constructor(settings: CommandSettings) {
    const { signal } = settings
    this.#settings = settings
    this.#aborted = new Promise((resolve) => {
      if (signal.aborted) resolve(undefined)
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
  }

  /** The end of what the command has printed in the last run without deviations. */
  get printed(): string {
    return this.#printed
  }

  async run(spec: RunSpec): Promise<ObservedRun> {
    const { simulator, port } = this.#settings
    const failure = await this.#prepare()
    const begin = stopwatch()
    const loaded = await loadSimulator(simulator)
    const { sim, overrides } = loaded
    const exploration = await beginRun(sim, spec)
    const server = await listen(sim, { port, ...accessOf(simulator), ...(overrides && { overrides }) })
    const interceptor = await this.#intercept(loaded)
    try {
      const client = failure ?? (await this.#runClient(spec, loaded, server.baseUrl, interceptor))
      const facts = await factsOf(sim, exploration)
      const took = stopwatch() - begin
      if (spec.deviations.length === 0) this.#baseline = Math.max(this.#baseline ?? 0, took)
      return { ...client, facts, took }
    } finally {
      sim.close()
      await Promise.all([server.close(), interceptor?.close()])
    }
  }

  /** Deletes the files of the hooks. */
  close(): void {
    this.#hooks.close()
  }

  /** The code that intercepts is loaded on first use. */
  async #intercept({ sim, overrides }: LoadedSimulator): Promise<Interceptor | undefined> {
    const { interception, simulator } = this.#settings
    if (interception === undefined) return undefined
    const { Interceptor } = await import('../intercept/interceptor.js')
    const { cors } = simulator
    return Interceptor.listen(sim, interception, { ...(cors && { cors }), ...(overrides && { overrides }) })
  }

  async #runClient(
    spec: RunSpec,
    { sim, dialects: { names: dialects } }: LoadedSimulator,
    baseUrl: string,
    intercepted: Interceptor | undefined,
  ): Promise<ClientRun> {
    const { command, variables, onOutput, crashPatterns } = this.#settings
    const { env } = await commandEnvironment({ sim, dialects, baseUrl, variables, intercepted })
    const { variables: hooks, noted } = this.#hooks.next(env)
    const client = new ClientProcess(command, { ...env, ...hooks, TASKSIM_RUN: spec.id }, onOutput)
    const start = sim.clock.now()
    const watch = watchForHang(sim, spec.patience, this.#limitOf(spec, sim.clock.speed))
    try {
      const ended = await Promise.race([client.ended, watch.hang, this.#aborted])
      const lasted = sim.clock.now() - start
      await client.end()
      const errors = noted()
      const output = client.stdout.split(/\r?\n/).filter((line) => line !== '')
      if (spec.deviations.length === 0) this.#printed = client.printed
      if (ended === undefined) return { end: INTERRUPTED, output }
      if ('type' in ended) return { end: ended, output, lasted }
      return { end: endOf(ended, client, errors, crashPatterns), output, lasted }
    } catch (error) {
      return { end: { type: 'unusable', message: startFailure(command[0], error).error }, output: [] }
    } finally {
      watch.stop()
    }
  }

  /** How long a run may take, in milliseconds of real time. The runs without deviations have no limit. */
  #limitOf({ deviations, patience }: RunSpec, speed: number): number {
    if (deviations.length === 0 || this.#baseline === undefined) return Infinity
    return (PATIENCES * patience) / (speed || 1) + BASELINES * this.#baseline
  }

  /** Restores the state of the user. @returns how the run ends if that fails */
  async #prepare(): Promise<ClientRun | undefined> {
    const { before, onOutput } = this.#settings
    if (before === undefined) return undefined
    const shell = process.platform === 'win32' ? ['cmd', '/d', '/s', '/c', before] : ['sh', '-c', before]
    const client = new ClientProcess(shell, process.env, onOutput)
    const ended = await Promise.race([client.ended, this.#aborted])
    await client.end()
    if (ended === undefined) return { end: INTERRUPTED, output: [] }
    if (ended.status === 0) return undefined
    const how = ended.status === null ? `was ended by ${ended.signal}` : `exited with status ${ended.status}`
    const message = `The command of --before ${how}: ${lastLineOf(client)}`
    return { end: { type: 'unusable', message }, output: [] }
  }
}

const INTERRUPTED = { type: 'hang', message: 'The exploration was interrupted.' } as const

/** A run may take as long as these many patiences and runs without deviations. */
const PATIENCES = 4
const BASELINES = 10

/** How often to look whether the client still makes progress, in milliseconds of real time. */
const LOOK_INTERVAL = 50

/** Notices that a client hangs. */
interface HangWatch {
  /** Resolves when the client hangs. */
  readonly hang: Promise<RunEnd>
  stop(): void
}

/**
 * Watches a client. It hangs if it makes no progress for longer than the patience, or if its run exceeds the limit:
 * a client may order one task after the other for ever, or stop the clock.
 * @param patience in milliseconds on the clock
 * @param limit in milliseconds of real time
 */
function watchForHang(sim: Simulator, patience: number, limit: number): HangWatch {
  const progress = new Progress(sim)
  const begin = stopwatch()
  let stop = () => {}
  const hang = new Promise<RunEnd>((resolve) => {
    const look = () => {
      if (sim.clock.now() - progress.last.at > patience)
        resolve({
          type: 'hang',
          message: `It made no progress for ${formatDuration(patience)} on the clock.`,
        })
      else if (stopwatch() - begin > limit)
        resolve({
          type: 'hang',
          message: `It still ran after ${formatDuration(limit)}, far longer than without failures.`,
        })
      else stop = startTimer(LOOK_INTERVAL, look, true)
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
