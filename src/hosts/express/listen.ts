import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ControlPolicy, LOOPBACK_HOSTS } from '../../api/control/access.js'
import type { Simulator } from '../../simulator.js'
import { type AppOptions, createApp } from './app.js'
import { bind } from './bind.js'
import { createFastServer } from './fast-server.js'

/** Where a server listens, and who may steer it. */
export interface ListenOptions extends AppOptions {
  /** 0 picks a free one; 4010 unless given. */
  readonly port?: number
  /** 127.0.0.1 unless given. */
  readonly host?: string
  /** What the control API wants to be shown; made up where the host is more than this machine, unless given. */
  readonly controlToken?: string
  /** The web pages that may use the control API, such as http://localhost:5173. */
  readonly controlOrigins?: readonly string[]
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
 * @throws UsageError where the address cannot be listened on, with what to do about it
 * @example
 * const server = await listen(createSimulator(), { port: 0 })
 */
export async function listen(sim: Simulator, options: ListenOptions = {}): Promise<RunningServer> {
  const { port = 4010, host = '127.0.0.1' } = options
  const control = policyFor(host, options)
  const server = createFastServer(createApp(sim, { control, ...options }))
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
  { controlToken: token, controlOrigins: origins }: ListenOptions,
): ControlPolicy {
  if (!isLoopback(host)) return { token: token ?? randomUUID(), origins }
  return { token, origins, hosts: [...new Set([...LOOPBACK_HOSTS, host])] }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
