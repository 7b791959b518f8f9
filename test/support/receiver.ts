import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A server in this process. */
export interface LocalServer {
  readonly port: number
  /** Without a path, such as http://127.0.0.1:4711. */
  readonly origin: string
  close(): void
}

/** Serves HTTP on a free port of the loopback interface. */
export async function serveHere(respond: RequestListener): Promise<LocalServer> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A receiver of webhooks in this process. */
export interface Receiver {
  readonly url: string
  /** The bodies of all webhooks so far. */
  readonly bodies: readonly string[]
  close(): void
}

/**
 * Starts a receiver at `/hooks` and at every other path.
 * @param statusOf the status of the answer to the n-th webhook, from 1; undefined for no answer
 */
export async function startReceiver(
  statusOf: (number: number, path: string, body: string) => number | undefined = () => 204,
): Promise<Receiver> {
  const bodies: string[] = []
  const { origin, close } = await serveHere(async (request, response) => {
    const body = String(await buffer(request))
    const status = statusOf(bodies.push(body), request.url ?? '', body)
    if (status !== undefined) response.writeHead(status).end()
  })
  return { url: `${origin}/hooks`, bodies, close }
}
