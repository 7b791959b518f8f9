import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../../core/errors.js'
import type { Simulator } from '../../simulator.js'
import { type AppOptions, createApp } from './app.js'
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
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException, host, port))
  }
  const { family, address, port: actual } = server.address() as AddressInfo
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

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const failed = `Failed to listen on ${host}:${port}`
  switch (code) {
    case 'EADDRINUSE':
      return `${failed}: the port is in use. Stop what uses it, or choose another with --port (0 picks a free one).`
    case 'EACCES':
      return `${failed}: not allowed. Choose a port above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${failed}: this machine has no such address. Choose one with --host, such as 127.0.0.1 or 0.0.0.0.`
    default:
      return `${failed}: ${message}`
  }
}
