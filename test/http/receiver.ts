import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request that a receiver got. */
interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the event
  readonly json: any
}

/** A webhook receiver on a real socket. */
export interface TestReceiver {
  readonly url: string
  readonly received: Received[]
}

/** Returns the URL of a receiver that is down. */
export async function deadUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return `http://127.0.0.1:${port}/hook`
}

/**
 * Starts a receiver that ends with the test.
 * @param respond answers the n-th request, counted from 1; 204 by default
 */
export async function startReceiver(
  respond: (number: number, response: ServerResponse) => void = (_, response) =>
    response.writeHead(204).end(),
): Promise<TestReceiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    received.push({ headers: request.headers, body, json: JSON.parse(body.toString()) })
    respond(received.length, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}
