import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Receives webhooks. */
export interface Receiver {
  readonly url: string
  /** Whether a webhook with a text in its body has arrived. */
  has(text: string): boolean
  close(): void
}

/** Starts a receiver that accepts every webhook. */
export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    bodies.push(body)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    has: (text) => bodies.some((body) => body.includes(text)),
    close: () => server.close().closeAllConnections(),
  }
}
