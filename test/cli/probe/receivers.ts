import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_local_signing_secret'

/** The differences of a receiver from a correct one. */
export interface Habits {
  /** Returns whether the receiver accepts a signature for a body. */
  verifies?: (
    body: Buffer,
    signature: string | undefined,
    headers: IncomingHttpHeaders,
  ) => boolean | Promise<boolean>
  /** The longest body that the receiver accepts, in bytes. */
  limit?: number
  refusal?: number
  /** Returns the status for an event with a valid signature, or throws as the receiver would. */
  answers?: (event: Record<string, unknown>) => number
  /** The status for a GET request. */
  get?: number
  /** Whether the receiver reads one request at a time. */
  inTurn?: boolean
  /** The content types that the receiver accepts. */
  types?: RegExp
  /** Answers every request. */
  always?: (response: ServerResponse) => void
}

/** Compares the signature in constant time, as a correct receiver does. */
export function verifies(body: Buffer, signature: string | undefined, secret = SECRET): boolean {
  const right = createHmac('sha256', secret).update(body).digest('hex')
  return signature?.length === right.length && timingSafeEqual(Buffer.from(signature), Buffer.from(right))
}

/** Starts a receiver, which is correct without habits. */
export async function receiver(habits: Habits = {}): Promise<{ url: string; events: string[] }> {
  const events: string[] = []
  let before: Promise<unknown> = Promise.resolve()
  const server = createServer((request, response) => {
    if (habits.always !== undefined) return habits.always(response)
    const answer = () => respond(request, response, habits, events)
    if (habits.inTurn) before = before.then(answer)
    else void answer()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, events }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  habits: Habits,
  events: string[],
): Promise<void> {
  const status = await assess(request, habits, events).catch(() => 500)
  response.writeHead(status, { connection: 'close' }).end()
}

async function assess(request: IncomingMessage, habits: Habits, events: string[]): Promise<number> {
  if (request.method !== 'POST') return habits.get ?? 405
  const body = await read(request, habits.limit ?? 2 ** 20)
  if (body === undefined) return 413
  if (!(habits.types ?? /^/).test(request.headers['content-type'] ?? '')) return 415
  const signature = request.headers['x-service-signature']?.toString()
  const verify = habits.verifies ?? ((body, signature) => verifies(body, signature))
  if (!(await verify(body, signature, request.headers))) return habits.refusal ?? 401
  if (habits.answers !== undefined) return habits.answers(JSON.parse(String(body)))
  try {
    events.push(JSON.parse(String(body)).event)
    return 204
  } catch {
    return 400
  }
}

async function read(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    size += piece.length
    if (size > limit) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
