import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

const SECRET = 'whsec_local_signing_secret'

/** The bytes that a receiver got, which may not be JSON. */
export interface RawEvent {
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly text: string
  /** The value of the signature header. */
  readonly signature: string | undefined
}

/** A webhook receiver on a real socket that accepts any bytes. */
export interface RawReceiver {
  readonly url: string
  readonly received: RawEvent[]
  /** The maximum number of concurrent requests. */
  readonly maxConcurrent: number
}

/** Answers the n-th request, counted from 1, or leaves it open. */
export type Respond = (number: number, response: ServerResponse, event: RawEvent) => void

/** Accepts everything. */
const accept: Respond = (_, response) => response.writeHead(204).end()

/** Answers the n-th request with the n-th status, and all later ones with the last. */
export const statuses =
  (...all: readonly number[]): Respond =>
  (number, response) =>
    response.writeHead(all[number - 1] ?? all.at(-1) ?? 204).end()

/** Starts a receiver that ends with the test. */
export async function startRawReceiver(respond: Respond = accept): Promise<RawReceiver> {
  const received: RawEvent[] = []
  let open = 0
  let maxConcurrent = 0
  const server = createServer(async (request, response) => {
    open += 1
    maxConcurrent = Math.max(maxConcurrent, open)
    response.on('close', () => {
      open -= 1
    })
    const body = await buffer(request)
    const signature = request.headers['x-service-signature'] as string | undefined
    const event = { headers: request.headers, body, text: body.toString(), signature }
    received.push(event)
    respond(received.length, response, event)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    get maxConcurrent() {
      return maxConcurrent
    },
  }
}

/** Returns the HMAC-SHA256 of a body in hex, computed by Node. */
export function hmac(body: Buffer, secret = SECRET): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** Returns whether a receiver that verifies signatures would accept the event. */
export function isGenuine({ body, signature }: RawEvent, secret = SECRET): boolean {
  return signature === hmac(body, secret)
}

/** Returns the event, parsed as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the event
export function parsed({ text }: RawEvent): any {
  return JSON.parse(text)
}
