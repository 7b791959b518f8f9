import { readDuration } from '../../engine/clock/durations.js'
import { listen, type RunningServer } from '../../hosts/express/listen.js'
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
import { deposedLine } from './server-lines.js'
import { settleDeliveries } from './shutdown.js'
import { watchAll } from './watch-all.js'

/** The arguments of a server. */
export interface ServeArguments extends SimulatorArguments, AccessArguments, LedgerArguments {
  port: number
  host: string
  open: boolean
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
