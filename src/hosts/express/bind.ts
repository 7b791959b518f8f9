import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { UsageError } from '../../engine/errors.js'

/**
 * Makes a server listen.
 * @throws UsageError if the address is not available
 */
export async function bind(server: Server, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException, host, port))
  }
  return server.address() as AddressInfo
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const failed = `Failed to listen on ${host}:${port}`
  switch (code) {
    case 'EADDRINUSE':
      return `${failed}: the port is in use. Stop the program that uses it, or choose another port with --port (0 picks a free one).`
    case 'EACCES':
      return `${failed}: not allowed. Choose a port above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${failed}: this machine has no such address. Choose one with --host, such as 127.0.0.1 or 0.0.0.0.`
    default:
      return `${failed}: ${message}`
  }
}
