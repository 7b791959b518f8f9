import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver that this process runs. */
export interface HostileReceiver {
  /** With no path, such as http://127.0.0.1:4711. */
  readonly origin: string
  close(): void
}

/** Starts a receiver on the loopback interface. */
export async function startReceiver(respond: RequestListener): Promise<HostileReceiver> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
