import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import type { RequestHandler } from 'msw'
import { MAIN_DIALECT } from '../dialects/built-in.js'
import { UsageError } from '../engine/errors.js'
import { Lazy } from '../engine/lazy.js'
import { DEFAULT_KEEP_BYTES } from '../engine/memory/budget.js'
import { type TargetPolicy, targetPolicy } from '../engine/webhooks/attempts/target-policy.js'
import type { Transport } from '../engine/webhooks/attempts/transport.js'
import { loadMsw } from '../hosts/express/overrides.js'
import { buildSimulator, type Simulator } from '../library/build-simulator.js'
import type { Scenario } from '../scenario/scenario.js'
import { type GivenDialects, readGivenDialects } from './dialects/given-dialects.js'
import { errorText } from './errors.js'
import { findScenario } from './files/find-scenario.js'
import { requireRegularFile } from './files/read-file.js'
import { chooseSeed, DEFAULT_SCENARIO, RANDOM_SEED } from './options/options.js'
import { type SimulatorArguments, settingsOf } from './options/server-options.js'
import { flush } from './output.js'
import type { Telemetry } from './start-telemetry.js'

/** A simulator, with its scenario files and its MSW handlers. */
export interface LoadedSimulator {
  readonly sim: Simulator
  /** The scenario file and the files that it extends. */
  readonly files: readonly string[]
  /** The dialects that the command line gives. */
  readonly dialects: GivenDialects
  /** The MSW handlers of the `--handlers` module. */
  readonly overrides: readonly RequestHandler[] | undefined
  /** Sends later errors of the handlers to the log of the simulator instead of stderr. */
  logHandlerErrors(): void
  /** Sends traces and metrics, if `--otel` is given. */
  readonly telemetry: Telemetry | undefined
}

/**
 * Loads the scenario and the handlers of a command, and builds its simulator.
 * @param storedSeed the seed of the state that the simulator will continue
 * @throws UsageError if the scenario, a dialect or the handlers cannot be found; ScenarioError with every mistake in a
 * file
 */
export async function loadSimulator(args: SimulatorArguments, storedSeed?: string): Promise<LoadedSimulator> {
  const { scenario, files } = await findScenario(args.scenario ?? DEFAULT_SCENARIO)
  const given = await readGivenDialects(args.dialect)
  const dialects = { ...given, names: given.names.length > 0 ? given.names : recordedDialects(scenario) }
  const module = args.handlers === undefined ? undefined : moduleAt(args.handlers)
  const overrides = await module?.load()
  const settings = settingsOf(args)
  const sim = buildSimulator(scenario, {
    ...settings,
    keepBytes: settings.keepBytes ?? defaultKeepBytes(),
    ...seedOf(args, storedSeed),
    transport: lazyTransport(targetPolicy(args['webhook-allow'])),
    receivers: args.webhook,
    dialects: dialects.tables,
  })
  for (const name of dialects.names) sim.dialects.check(name)
  const logHandlerErrors = () => module?.reportTo((error) => sim.events.emit('error', error))
  // Before the state is restored, so that no webhook leaves without its trace.
  const telemetry = args.otel ? await telemetryOf(sim) : undefined
  return { sim, files, dialects, overrides, logHandlerErrors, telemetry }
}

/** The code of OpenTelemetry is loaded on first use. */
async function telemetryOf(sim: Simulator): Promise<Telemetry | undefined> {
  const { startTelemetry } = await import('./start-telemetry.js')
  return startTelemetry(sim)
}

const modules = new Map<string, HandlersModule>()

/** The module of a path, which may serve several simulators. */
function moduleAt(path: string): HandlersModule {
  const module = modules.get(path) ?? new HandlersModule(path)
  modules.set(path, module)
  return module
}

/** The random seed, unless it is that of the scenario. Any seed will do in place of a random one. */
function seedOf({ seed }: SimulatorArguments, stored: string | undefined): { seed?: string } {
  if (stored !== undefined && (seed === undefined || seed === RANDOM_SEED)) return { seed: stored }
  return seed === undefined ? {} : { seed: chooseSeed(seed) }
}

/** The dialect of a recording, unless it is the one that is always served at the root. */
function recordedDialects({ recorded }: Scenario): readonly string[] {
  return recorded === undefined || recorded.dialect === MAIN_DIALECT.name ? [] : [recorded.dialect]
}

/** The default of --keep-bytes: at most half of the maximum heap of this process. */
function defaultKeepBytes(): number {
  return Math.min(DEFAULT_KEEP_BYTES, Math.floor(getHeapStatistics().heap_size_limit / 2))
}

/**
 * A module of MSW handlers from the user. If the module causes an error outside a request, tasksim reports it and
 * continues. Any other uncaught error ends the process.
 */
class HandlersModule {
  readonly #path: string
  readonly #url: string
  /** The module and everything that it starts, such as timers, promises and other packages, runs in this context. */
  readonly #context = new AsyncLocalStorage<HandlersModule>()
  readonly #handlers = new Lazy(() => this.#load())
  #report = (error: unknown): void => void process.stderr.write(`tasksim: ${errorText(error)}\n`)

  /** @param path the path on the command line */
  constructor(path: string) {
    this.#path = path
    this.#url = pathToFileURL(resolve(path)).href
  }

  /**
   * Imports the handlers.
   * @throws UsageError if the module or a package that it needs is missing, or if it exports no handlers
   */
  async load(): Promise<RequestHandler[]> {
    return this.#handlers.get()
  }

  async #load(): Promise<RequestHandler[]> {
    await loadMsw('The option --handlers')
    process.on('uncaughtException', (error: unknown) => this.#onUncaught(error))
    const module = await this.#runInContext(() => this.#import()).catch((error: Error) => {
      throw new UsageError(`Cannot load the handlers ${this.#path}: ${error?.message ?? error}`)
    })
    const handlers: unknown = module.default ?? module.handlers
    if (Array.isArray(handlers) && handlers.every((handler) => typeof handler?.run === 'function')) {
      for (const handler of handlers) this.#wrap(handler)
      return handlers
    }
    throw new UsageError(
      `${this.#path} exports no handlers. Its default export must be an array of MSW handlers.`,
    )
  }

  /** Reports later errors to a function instead of to stderr. */
  reportTo(report: (error: unknown) => void): void {
    this.#report = report
  }

  /** Rejects a device or a pipe, because its import may never end. */
  async #import(): Promise<{ readonly default?: unknown; readonly handlers?: unknown }> {
    if (existsSync(this.#path)) requireRegularFile(this.#path)
    return import(this.#url)
  }

  #wrap(handler: RequestHandler): void {
    const run = handler.run.bind(handler)
    handler.run = (args) =>
      this.#runInContext(() => run(args)).catch((error: unknown) => {
        // A handler may throw its response.
        throw error instanceof Response ? error : this.#failure('in a request', error)
      })
  }

  async #runInContext<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#context.run(this, work)
  }

  #onUncaught(error: unknown): void {
    if (this.#isFromModule(error)) {
      this.#report(this.#failure('outside a request', error))
      return
    }
    flush()
    process.stderr.write(`tasksim: Unexpected error, shutting down: ${errorText(error)}\n`)
    process.exit(1)
  }

  #isFromModule(error: unknown): boolean {
    if (this.#context.getStore() !== undefined) return true
    // Node 20 and 22 lose the context of queueMicrotask. Only the module throws values that are not errors.
    return !(error instanceof Error) || error.stack?.includes(this.#url) === true
  }

  #failure(when: string, cause: unknown): Error {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const error = new Error(`The handlers module ${this.#path} failed ${when}: ${reason}`, { cause })
    if (cause instanceof Error && cause.stack) error.stack = `${error.message}\n${framesOf(cause.stack)}`
    else error.stack = error.message
    return error
  }
}

function framesOf(stack: string): string {
  return stack.slice(Math.max(0, stack.search(/^ {4}at /m)))
}

/** Creates the transport of a simulator, whose code and that of TLS are loaded with the first webhook. */
function lazyTransport(policy: TargetPolicy): Transport {
  const part = new Lazy(async () => (await import('./transport/node-transport.js')).nodeTransport(policy))
  return async (post) => {
    const send = part.loaded ?? (await part.get())
    post.signal.throwIfAborted()
    return send(post)
  }
}
