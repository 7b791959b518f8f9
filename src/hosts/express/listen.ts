import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { UsageError } from '../../engine/errors.js'
import { checkOptionNames, type OptionNames } from '../../engine/known-options.js'
import type { Simulator } from '../../simulator.js'
import { isLoopbackName, LOOPBACK_HOSTS, normalized } from './access/host-names.js'
import type { ControlPolicy } from './access/rules.js'
import { buildApp } from './app.js'
import type { AppOptions } from './app-options.js'
import { bind } from './bind.js'
import { createServer } from './create-server.js'
import { loadMsw } from './load-msw.js'

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
}

const LISTEN_OPTIONS: OptionNames<ListenOptions> = {
  overrides: true,
  allowHosts: true,
  cors: true,
  port: true,
  host: true,
  controlToken: true,
  controlOrigins: true,
}

/** A running server. */
export interface RunningServer {
  /** The URL of the API, such as http://127.0.0.1:4010/api/v1. */
  readonly baseUrl: string
  /** The token that requests to the control API need; undefined if they need none. */
  readonly controlToken: string | undefined
  /** Stops listening and closes all connections. The simulator keeps running; close it separately. */
  close(): Promise<void>
}

/**
 * Serves a simulator over HTTP.
 * @throws UsageError if the address is not available, an option is unknown or invalid, or a package that `overrides`
 * needs is missing
 * @example
 * const server = await listen(createSimulator(), { port: 0 })
 */
export async function listen(sim: Simulator, options: ListenOptions = {}): Promise<RunningServer> {
  checkOptionNames('listen', options, LISTEN_OPTIONS)
  if (options.overrides !== undefined) await loadMsw('The option `overrides`')
  const { port = 4010, host = '127.0.0.1' } = options
  const control = policyFor(host, options)
  const allowHosts = allowedHosts(host, options)
  const app = buildApp(sim, { ...options, control, ...(allowHosts && { allowHosts }) })
  const server = createServer(sim, app)
  const { family, address, port: actual } = await bind(server, port, host)
  return {
    baseUrl: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/api/v1`,
    controlToken: control.token,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Programs on this machine may use the control API. Other machines need the token. */
function policyFor(
  host: string,
  { controlToken: token, controlOrigins: origins, allowHosts = [] }: ListenOptions,
): ControlPolicy {
  if (token !== undefined) checkToken(token)
  if (!isLoopback(host)) return { token: token ?? randomUUID(), origins }
  return { token, origins, hosts: [...new Set([...LOOPBACK_HOSTS, host, ...allowHosts.map(normalized)])] }
}

/**
 * On a loopback address, only known names are allowed, because DNS rebinding can make any name resolve to this machine.
 */
function allowedHosts(host: string, { allowHosts }: ListenOptions): readonly string[] | undefined {
  return isLoopback(host) ? (allowHosts ?? []) : allowHosts
}

/** Rejects a token that a header cannot carry unchanged. */
function checkToken(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return
  throw new UsageError(
    'The control token must consist of visible ASCII characters without a space, such as the output of `openssl rand -hex 16`.',
  )
}

function isLoopback(host: string): boolean {
  return host === '::1' || isLoopbackName(host)
}
