import { getHeapStatistics } from 'node:v8'
import type { RequestHandler } from 'msw'
import { buildSimulator, type Simulator } from '../build-simulator.js'
import { MAIN_DIALECT } from '../dialects/built-in.js'
import { DEFAULT_KEEP_BYTES } from '../engine/memory/keep-bytes.js'
import { targetPolicy } from '../engine/webhooks/attempts/target-policy.js'
import type { Scenario } from '../scenario/model/scenario.js'
import { type GivenDialects, readGivenDialects } from './dialects/given-dialects.js'
import { findScenario } from './files/find-scenario.js'
import { HandlersModule } from './handlers-module.js'
import { DEFAULT_SCENARIO } from './options/scenario-argument.js'
import { chooseSeed, RANDOM_SEED } from './options/seed-option.js'
import { type SimulatorArguments, settingsOf } from './options/simulator-options.js'
import type { Telemetry } from './otel/start-telemetry.js'
import { lazyTransport } from './transport/lazy-transport.js'

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
 * @throws UsageError if the scenario, a dialect or the handlers cannot be found; ScenarioError with every mistake in a file
 */
export async function loadSimulator(args: SimulatorArguments, storedSeed?: string): Promise<LoadedSimulator> {
  const { scenario, files } = await findScenario(args.scenario ?? DEFAULT_SCENARIO)
  const given = await readGivenDialects(args.dialect)
  const dialects = { ...given, names: given.names.length > 0 ? given.names : recordedDialects(scenario) }
  const module = args.handlers === undefined ? undefined : new HandlersModule(args.handlers)
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
  const logHandlerErrors = () => module?.reportTo((error) => sim.emit('error', error))
  // Before the state is restored, so that no webhook leaves without its trace.
  const telemetry = args.otel ? await telemetryOf(sim) : undefined
  return { sim, files, dialects, overrides, logHandlerErrors, telemetry }
}

/** The code of OpenTelemetry is loaded on first use. */
async function telemetryOf(sim: Simulator): Promise<Telemetry | undefined> {
  const { startTelemetry } = await import('./otel/start-telemetry.js')
  return startTelemetry(sim)
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
