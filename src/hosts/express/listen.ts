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

/** Where a server listens, and who may steer it. */
export interface ListenOptions extends Omit<AppOptions, 'control'> {
  /** 0 picks a free one; 4010 unless given. */
  readonly port?: number
  /** 127.0.0.1 unless given. */
  readonly host?: string
  /**
   * What the control API wants to be shown, of visible ASCII characters without a space; made up where the host is
   * more than this machine, unless given.
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

/** A server that listens. */
export interface RunningServer {
  /** Where the API is, such as http://127.0.0.1:4010/api/v1. */
  readonly baseUrl: string
  /** What the control API wants to be shown; undefined where it wants nothing. */
  readonly controlToken: string | undefined
  /** Stops listening and ends all connections. The simulator goes on; close it by itself. */
  close(): Promise<void>
}

/**
 * Serves a simulator over HTTP.
 * @throws UsageError where the address cannot be listened on, an option is unknown or wrong, or a package that
 * `overrides` needs is missing; each with what to do about it
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

/** Who may use the control API: every program on this machine, but beyond it only who knows the token. */
function policyFor(
  host: string,
  { controlToken: token, controlOrigins: origins, allowHosts = [] }: ListenOptions,
): ControlPolicy {
  if (token !== undefined) checkToken(token)
  if (!isLoopback(host)) return { token: token ?? randomUUID(), origins }
  return { token, origins, hosts: [...new Set([...LOOPBACK_HOSTS, host, ...allowHosts.map(normalized)])] }
}

/** A name that leads to this machine is not enough: after DNS rebinding, the name of any web page does. */
function allowedHosts(host: string, { allowHosts }: ListenOptions): readonly string[] | undefined {
  return isLoopback(host) ? (allowHosts ?? []) : allowHosts
}

/** A header could not carry the token, or its reader would take it for another. */
function checkToken(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return
  throw new UsageError(
    'The control token must consist of visible ASCII characters without a space, such as the output of `openssl rand -hex 16`.',
  )
}

function isLoopback(host: string): boolean {
  return host === '::1' || isLoopbackName(host)
}
