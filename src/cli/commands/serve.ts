import { readDuration } from '../../engine/clock/durations.js'
import { listen, type RunningServer } from '../../hosts/express/listen.js'
import { defineCommand } from '../command.js'
import type { ServerInterceptor } from '../intercept/intercept-for-server.js'
import { ledgerOf } from '../ledger/ledger-options.js'
import type { StoredSimulator } from '../ledger/stored-simulator.js'
import { type LoadedSimulator, loadSimulator } from '../load-simulator.js'
import { type LogFormat, ServerLog } from '../log.js'
import { openDashboard } from '../open-browser.js'
import { DEFAULT_SCENARIO } from '../options/options.js'
import { accessOf } from '../options/server-options.js'
import { colors, flush, print } from '../output.js'
import { banner, dashboardUrl, readyRecord } from '../serve/banner.js'
import { type ServeArguments, serveOptions } from '../serve/serve-options.js'
import { settleDeliveries } from '../serve/settle-deliveries.js'
import { endOfStdin, exitSoon, stopSignal } from '../signals.js'

/** Serves a scenario over HTTP until a signal stops it. */
export const command = defineCommand({
  builder: serveOptions,
  async handler(args) {
    let signal: Promise<void> | undefined
    const stopped = () => {
      signal ??= args['stop-with-stdin'] ? Promise.race([stopSignal(), endOfStdin()]) : stopSignal()
      return signal
    }
    let next: ServeArguments | undefined = args
    let continues = false
    while (next !== undefined) {
      next = await runServer(next, stopped, continues)
      continues = true
    }
  },
})

/** A simulator, and its ledger if it has one. */
type Loaded = LoadedSimulator & Partial<StoredSimulator>

/**
 * Runs a server until a signal stops it, or another process takes over its ledger.
 * @param stopped resolves at the signal
 * @param continues whether an earlier server of this process has led the ledger
 * @returns the arguments of a server at the same address, which becomes a standby; undefined after a signal
 */
async function runServer(
  args: ServeArguments,
  stopped: () => Promise<void>,
  continues: boolean,
): Promise<ServeArguments | undefined> {
  const format = args.json ? 'json' : 'text'
  const started = await start(args, format, stopped, continues)
  if (started === undefined) return undefined
  const { sim, server, files, dialects, attached, deposed, telemetry, interceptor } = started
  // After listen: a watcher would keep the process running if listen failed.
  const log = new ServerLog(sim, format)
  const watched = { scenario: args.scenario ?? DEFAULT_SCENARIO, files, dialects: dialects.files }
  const unwatch = files.length + dialects.files.length > 0 ? await watch(sim, log, watched) : undefined
  // Before the banner: scripts that wait for it may stop the server at once.
  const signal = stopped().then(() => false)
  await announce(started, args)
  log.follow()
  started.logHandlerErrors()
  const isDeposed = await (deposed === undefined ? signal : Promise.race([signal, deposed.then(() => true)]))
  if (isDeposed && attached !== undefined) {
    const text = `Another process has taken over the ledger ${attached.shown}. This server becomes a standby.`
    log.event(
      'deposed',
      () => ({ ledger: attached.shown }),
      () => colors.yellow(text),
    )
  } else {
    const limit = readDuration(args.drain) ?? 0
    await settleDeliveries(sim, log, { limit, isStored: attached !== undefined })
  }
  await attached?.close()
  await telemetry?.shutdown()
  if (!isDeposed) exitSoon()
  sim.close()
  await Promise.all([server.close(), unwatch?.(), interceptor?.close()])
  flush()
  return isDeposed ? successor(args, server) : undefined
}

interface Started extends Loaded {
  readonly server: RunningServer
  /** Answers requests for the hosts of services, if the command line asks for that. */
  readonly interceptor: ServerInterceptor | undefined
}

/** Starts a server, once it leads its ledger if it has one. @returns undefined after a signal */
async function start(
  args: ServeArguments,
  format: LogFormat,
  stopped: () => Promise<void>,
  continues: boolean,
): Promise<Started | undefined> {
  const ledger = ledgerOf(args)
  if (ledger === undefined) return serve(await loadSimulator(args), args)
  // The code of ledgers is loaded on first use.
  const [{ loadStoredSimulator }, { Standby }] = await Promise.all([
    import('../ledger/stored-simulator.js'),
    import('../ledger/standby.js'),
  ])
  const standby = new Standby(args, format, stopped)
  try {
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
  return { ...loaded, server, interceptor: await interceptorOf(loaded, args, server.baseUrl) }
}

/** The code that intercepts requests is loaded on first use. */
async function interceptorOf({ sim, overrides }: Loaded, args: ServeArguments, baseUrl: string) {
  if (args.intercept === undefined) return undefined
  const { interceptForServer } = await import('../intercept/intercept-for-server.js')
  const { cors } = args
  return interceptForServer(sim, args, { ...(cors && { cors }), ...(overrides && { overrides }) }, baseUrl)
}

async function announce(
  { sim, server, dialects, attached, interceptor }: Started,
  args: ServeArguments,
): Promise<void> {
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
    interceptor,
  }
  print(await text(sim, server.baseUrl, announced))
  // Scripts wait for this line.
  flush()
  if (args.open) openDashboard(dashboardUrl(server.baseUrl, server.controlToken))
}

const MIN_TOKEN_LENGTH = 16

/** Returns a warning if a control token is short enough to guess. */
function tokenWarning(token: string | undefined): string | undefined {
  if (token === undefined || token.length >= MIN_TOKEN_LENGTH) return undefined
  return `The control token has only ${token.length} characters and can be guessed. Use at least ${MIN_TOKEN_LENGTH}, such as the output of \`openssl rand -hex 16\`.`
}

/** The arguments of a server at the same address, with the same token, that continues from the ledger. */
function successor(args: ServeArguments, { baseUrl, controlToken }: RunningServer): ServeArguments {
  const port = Number(new URL(baseUrl).port)
  const address = { port, 'control-token': controlToken, open: false }
  return { ...args, ...address, 'ledger-reset': false }
}

/** The code that watches files is loaded on first use. */
async function watch(...args: Parameters<typeof import('../serve/watch-files.js').watchFiles>) {
  const { watchFiles } = await import('../serve/watch-files.js')
  return watchFiles(...args)
}
