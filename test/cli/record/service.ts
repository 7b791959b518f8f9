import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from '../../../src/hosts/express/index.js'
import { createSimulator, type ScenarioInput, type Simulator } from '../../../src/index.js'

export const KEY = 'sk_live_local'

/** Starts a service that a simulator plays. */
export async function startSimulated(
  scenario: ScenarioInput = {},
): Promise<{ readonly sim: Simulator; readonly origin: string }> {
  const sim = createSimulator({ scenario })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    await close()
    sim.close()
  })
  return { sim, origin: new URL(baseUrl).origin }
}

/** Starts a service whose answers a function writes. @returns its origin */
export async function startService(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends a request with JSON and an API key. */
export async function call(origin: string, path: string, body?: object, scheme = 'Bearer') {
  const response = await fetch(origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `${scheme} ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, json: await response.json() }
}

/** Calls a function again and again until it returns something else than undefined. */
export async function until<Value>(
  find: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> {
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
}
