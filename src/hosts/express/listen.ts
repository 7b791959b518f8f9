import { once } from 'node:events'
import { checkOptionNames, checkSimulator, type OptionNames } from '../../engine/errors.js'
import type { Attached } from '../../ledger/attach.js'
import { LedgerError } from '../../ledger/ledger-error.js'
import type { LedgerOptions } from '../../ledger/open-ledger.js'
import type { Simulator } from '../../simulator/simulator.js'
import { controlPolicy, isLoopback } from './access.js'
import { buildListener } from './app.js'
import type { AppOptions } from './app-options.js'
import { bind } from './bind.js'
import { createServer } from './create-server.js'
import { loadMsw } from './overrides.js'

/** The address of a server, and the access to its control API. */
export interface ListenOptions extends Omit<AppOptions, 'control'> {
  /** The port; 4010 by default. 0 picks a free one. */
  readonly port?: number
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string
  /**
   * The token that requests to the control API need: visible ASCII characters without a space. By default, a token is
   * generated if other machines can reach `host`; otherwise, none is needed.
   */
  readonly controlToken?: string
  /** The web pages that may use the control API, such as http://localhost:5173. */
  readonly controlOrigins?: readonly string[]
  /**
   * Where the state of the simulator is stored across restarts: the path of a SQLite file (Node 22.13 or later), or
   * the URL of a Redis server (package `@redis/client`). The simulator must be new, with the seed of the stored state.
   */
  readonly ledger?: string | LedgerOptions
}

const LISTEN_OPTIONS: OptionNames<ListenOptions> = {
  overrides: true,
  allowHosts: true,
  cors: true,
  port: true,
  host: true,
  controlToken: true,
  controlOrigins: true,
  ledger: true,
}

/** A running server. */
export interface RunningServer {
  /** The URL of the API, such as http://127.0.0.1:4010/api/v1. */
  readonly baseUrl: string
  /** The token that requests to the control API need; undefined if they need none. */
  readonly controlToken: string | undefined
  /**
   * Stops listening, closes all connections, and stores the state in the ledger, if there is one. The simulator keeps
   * running; close it afterwards.
   */
  close(): Promise<void>
}

/**
 * Serves a simulator over HTTP. If it has a ledger, its state is restored first.
 * @throws UsageError if the address is not available, an option is unknown or invalid, or a package that `overrides`
 * needs is missing; LedgerError, which is a UsageError, if the ledger cannot be used
 * @example
 * const server = await listen(createSimulator(), { port: 0 })
 */
export async function listen(sim: Simulator, options: ListenOptions = {}): Promise<RunningServer> {
  checkSimulator('listen', sim)
  checkOptionNames('listen', options, LISTEN_OPTIONS)
  if (options.overrides !== undefined) await loadMsw('The option `overrides`')
  const { port = 4010, host = '127.0.0.1' } = options
  const control = controlPolicy(host, options)
  const allowHosts = allowedHosts(host, options)
  const server = createServer(
    sim,
    buildListener(sim, { ...options, control, ...(allowHosts && { allowHosts }) }),
  )
  const attached = options.ledger === undefined ? undefined : await attachTo(sim, options.ledger)
  const {
    family,
    address,
    port: actual,
  } = await bind(server, port, host).catch(async (error) => {
    await attached?.close()
    throw error
  })
  return {
    baseUrl: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/api/v1`,
    controlToken: control.token,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await attached?.close()
    },
  }
}

/**
 * On a loopback address, only known names are allowed, because DNS rebinding can make any name resolve to this machine.
 */
function allowedHosts(host: string, { allowHosts }: ListenOptions): readonly string[] | undefined {
  return isLoopback(host) ? (allowHosts ?? []) : allowHosts
}

const LEDGER_OPTIONS: OptionNames<LedgerOptions> = {
  address: true,
  reset: true,
  pause: true,
  synchronous: true,
  onWarning: true,
}

/**
 * Restores a new simulator from its ledger, and stores its changes there. The code of ledgers is loaded on first use.
 * @throws LedgerError if the ledger cannot be used
 */
async function attachTo(sim: Simulator, ledger: string | LedgerOptions): Promise<Attached> {
  const options = typeof ledger === 'string' ? { address: ledger } : ledger
  checkOptionNames('listen', options, LEDGER_OPTIONS)
  const [{ attach }, { leadLedger }] = await Promise.all([
    import('../../ledger/attach.js'),
    import('../../ledger/lead-ledger.js'),
  ])
  const led = await leadLedger(options)
  const { pause = false } = options
  const onDeposed = () => sim.events.emit('error', deposed(led.shown))
  return attach(sim, led, { pause, onDeposed })
}

function deposed(shown: string): LedgerError {
  return new LedgerError(
    `Another process has taken over the ledger ${shown}. This server answers every request with 503. Close it.`,
  )
}
