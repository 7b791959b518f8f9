import { readDuration } from '../../engine/clock/durations.js'
import { endsWithin } from '../../engine/clock/in-flight.js'
import { startTimer, stopwatch } from '../../engine/clock/system-clock.js'
import { listen, type RunningServer } from '../../hosts/express/listen.js'
import type { Simulator } from '../../simulator/simulator.js'
import { type LedgerArguments, ledgerOf } from '../ledger/ledger-options.js'
import type { StoredSimulator } from '../ledger/stored-simulator.js'
import { type LoadedSimulator, loadSimulator } from '../load-simulator.js'
import { type LogFormat, logEvents } from '../log.js'
import { openDashboard } from '../open-browser.js'
import { type AccessArguments, accessOf, tokenWarning } from '../options/access-options.js'
import { DEFAULT_SCENARIO } from '../options/scenario-argument.js'
import type { SimulatorArguments } from '../options/simulator-options.js'
import { flush, print } from '../output.js'
import { exitSoon } from '../signals.js'
import { banner, dashboardUrl, readyRecord } from './banner.js'
import { deposedLine, shutdownLine } from './server-lines.js'

/** The arguments of a server. */
export interface ServeArguments extends SimulatorArguments, AccessArguments, LedgerArguments {
  port: number
  host: string
  open: boolean
  'stop-with-stdin': boolean
  'control-token': string | undefined
  'control-origin': string[] | undefined
  drain: string
  json: boolean
  /** Whether an earlier server of this process has led the ledger. */
  continues?: boolean
}

/** A simulator, and its ledger if it has one. */
type Loaded = LoadedSimulator & Partial<StoredSimulator>

/**
 * Runs a server until a signal stops it, or another process takes over its ledger.
 * @param stopped resolves at the signal
 * @returns the arguments of a server at the same address, which becomes a standby; undefined after a signal
 */
export async function runServer(
  args: ServeArguments,
  stopped: () => Promise<void>,
): Promise<ServeArguments | undefined> {
  const format = args.json ? 'json' : 'text'
  const started = await start(args, format, stopped)
  if (started === undefined) return undefined
  const { sim, server, files, dialects, attached, deposed, telemetry } = started
  // After listen: a watcher would keep the process running if listen failed.
  const scenario = args.scenario ?? DEFAULT_SCENARIO
  const unwatch = await watchAll(sim, { scenario, files, dialects: dialects.files }, format)
  // Before the banner: scripts that wait for it may stop the server at once.
  const signal = stopped().then(() => false)
  await announce(started, args)
  logEvents(sim, format)
  started.logHandlerErrors()
  const isDeposed = await (deposed === undefined ? signal : Promise.race([signal, deposed.then(() => true)]))
  if (isDeposed && attached !== undefined) print(deposedLine(format, sim.clock.now(), attached.shown))
  else await settleDeliveries(sim, { limit: limitOf(args), isStored: attached !== undefined, format })
  await attached?.close()
  await telemetry?.shutdown()
  if (!isDeposed) exitSoon()
  sim.close()
  await Promise.all([server.close(), unwatch()])
  flush()
  return isDeposed ? successor(args, server) : undefined
}

interface Started extends Loaded {
  readonly server: RunningServer
}

/** Starts a server, once it leads its ledger if it has one. @returns undefined after a signal */
async function start(
  args: ServeArguments,
  format: LogFormat,
  stopped: () => Promise<void>,
): Promise<Started | undefined> {
  const ledger = ledgerOf(args)
  if (ledger === undefined) return serve(await loadSimulator(args), args)
  // The code of ledgers is loaded on first use.
  const [{ loadStoredSimulator }, { createStandby }] = await Promise.all([
    import('../ledger/stored-simulator.js'),
    import('../ledger/standby.js'),
  ])
  const standby = createStandby(args, format, stopped)
  try {
    const { continues = false } = args
    const options = { ...ledger, continues, standBy: standby.standBy }
    const loaded = await loadStoredSimulator(args, options)
    const port = await standby.leave()
    return loaded && (await serve(loaded, { ...args, port: port ?? args.port }))
  } finally {
    await standby.leave()
  }
}

async function serve(loaded: Loaded, args: ServeArguments): Promise<Started> {
  const { port, host, 'control-token': controlToken, 'control-origin': origins } = args
  const server = await listen(loaded.sim, {
    port,
    host,
    ...accessOf(args),
    ...(loaded.overrides && { overrides: loaded.overrides }),
    ...(controlToken !== undefined && { controlToken }),
    ...(origins !== undefined && { controlOrigins: origins.map((url) => new URL(url).origin) }),
  })
  return { ...loaded, server }
}

async function announce({ sim, server, dialects, attached }: Started, args: ServeArguments): Promise<void> {
  const controlToken = args['control-token']
  const warning = tokenWarning(controlToken)
  if (warning !== undefined) process.stderr.write(`tasksim: ${warning}\n`)
  const text = args.json ? readyRecord : banner
  const announced = {
    // Print only a generated token: a token from the user must not appear in logs.
    controlToken: controlToken === undefined ? server.controlToken : undefined,
    dialects: dialects.names,
    root: args['root-dialect'],
    ledger: attached,
  }
  print(await text(sim, server.baseUrl, announced))
  // Scripts wait for this line.
  flush()
  if (args.open) openDashboard(dashboardUrl(server.baseUrl, server.controlToken))
}

/** The longest time to wait for pending webhooks, in milliseconds. */
function limitOf({ drain }: ServeArguments): number {
  return readDuration(drain) ?? 0
}

/** The arguments of a server at the same address, with the same token, that continues from the ledger. */
function successor(args: ServeArguments, { baseUrl, controlToken }: RunningServer): ServeArguments {
  const port = Number(new URL(baseUrl).port)
  const address = { port, 'control-token': controlToken, open: false }
  return { ...args, ...address, continues: true, 'ledger-reset': false }
}

/**
 * Watches the files that the command line gives.
 * @param given the scenario with its files, and the dialect files
 */
async function watchAll(
  sim: Simulator,
  {
    scenario,
    files,
    dialects,
  }: {
    readonly scenario: string
    readonly files: readonly string[]
    readonly dialects: readonly string[]
  },
  format: LogFormat,
): Promise<() => Promise<unknown>> {
  if (files.length + dialects.length === 0) return async () => {}
  const [{ watchFile }, { reloadableScenario, reloadableDialect }] = await Promise.all([
    import('./watch-files.js'),
    import('./reloadable-files.js'),
  ])
  const watched = await Promise.all([
    ...(files.length > 0 ? [reloadableScenario(sim, scenario, files)] : []),
    ...dialects.map((path) => reloadableDialect(sim, path)),
  ])
  const unwatch = await Promise.all(watched.map((file) => watchFile(sim, file, format)))
  return () => Promise.all(unwatch.map((stop) => stop()))
}

/** Milliseconds between two checks for pending deliveries. */
const INTERVAL = 25

/** How a server shuts down. */
interface ShutdownOptions {
  /** Milliseconds of real time to wait for pending deliveries; 0 does not wait. */
  readonly limit: number
  /** Whether a ledger stores the deliveries that are left. */
  readonly isStored: boolean
  readonly format: LogFormat
}

/** Waits for pending deliveries, and logs how many of them are left. */
async function settleDeliveries(sim: Simulator, { limit, isStored, format }: ShutdownOptions): Promise<void> {
  // A manual clock handles due events only at the next request, even the end of a task without a delay.
  if (limit > 0) await Promise.all(withSandboxes(sim).map((each) => each.catchUp()))
  const pending = pendingDeliveries(sim)
  if (pending > 0 && limit > 0) {
    print(shutdownLine(format, sim.clock.now(), { state: 'draining', pending, limit }))
    flush()
    await drain(sim, limit)
  }
  const left = pendingDeliveries(sim)
  const ended = { state: 'ended', limit, ...(isStored ? { stored: left } : { dropped: left }) } as const
  if (pending > 0) print(shutdownLine(format, sim.clock.now(), ended))
  flush()
}

/** The number of unfinished deliveries of a simulator and its sandboxes. */
function pendingDeliveries(sim: Simulator): number {
  return withSandboxes(sim).reduce((sum, { webhooks }) => sum + webhooks.log.counts.pending, 0)
}

/**
 * Waits until every delivery that is in flight or becomes due within the limit has ended. On a manual clock nothing
 * becomes due, so it waits only for deliveries that are due already.
 */
async function drain(sim: Simulator, limit: number): Promise<void> {
  const deadline = stopwatch() + limit
  await Promise.all(withSandboxes(sim).map((each) => drainOne(each, deadline)))
}

async function drainOne(sim: Simulator, deadline: number): Promise<void> {
  const left = () => deadline - stopwatch()
  if (sim.clock.mode === 'manual') {
    await endsWithin(left(), sim.settled())
    return
  }
  while (left() > 0 && hasAttemptsWithin(sim, left())) await pause(INTERVAL)
}

function hasAttemptsWithin({ clock, webhooks }: Simulator, milliseconds: number): boolean {
  const end = clock.now() + milliseconds * clock.speed
  for (const { nextAt } of webhooks.log.pending()) if (nextAt === undefined || nextAt <= end) return true
  return false
}

function withSandboxes(sim: Simulator): Simulator[] {
  return [sim, ...sim.sandboxes.list().map((sandbox) => sandbox.sim)]
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    startTimer(milliseconds, resolve, true)
  })
}
