import { once } from 'node:events'
import type { Simulator } from '../../simulator.js'
import { type AppOptions, createApp } from './app.js'
import { bind } from './bind.js'
import { createFastServer } from './fast-server.js'

export interface ListenOptions extends AppOptions {
  /** 0 picks a free one; 4010 unless given. */
  readonly port?: number
  /** 127.0.0.1 unless given. */
  readonly host?: string
}

/** A server that listens. */
export interface RunningServer {
  /** Where the API is, such as http://127.0.0.1:4010/api/v1. */
  readonly baseUrl: string
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
  const server = createFastServer(createApp(sim, options))
  const { family, address, port: actual } = await bind(server, port, host)
  return {
    baseUrl: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/api/v1`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
