import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { getResponse } from 'msw'
import { onTestFinished } from 'vitest'
import { listen } from '../../../src/hosts/express/index.js'
import { handlers } from '../../../src/hosts/msw/index.js'
import type { Simulator } from '../../../src/index.js'

/** Sends a request with a key and returns the body of the answer. */
export type Send = (method: string, path: string, key: string, body?: string) => Promise<string>

/** Connects to a simulator over a limited number of connections. Further requests wait for a free one. */
export type Connect = (sim: Simulator, connections: number) => Promise<{ origin: string; send: Send }>

const headersFor = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

/** Connects over real sockets. */
export const overExpress: Connect = async (sim, connections) => {
  const { baseUrl, close } = await listen(sim, { port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  onTestFinished(async () => {
    agent.destroy()
    await close()
  })
  const { origin } = new URL(baseUrl)
  return {
    origin,
    send: (method, path, key, body) =>
      new Promise((resolve, reject) => {
        const outgoing = request(origin + path, { method, agent, headers: headersFor(key) }, (response) =>
          resolve(text(response)),
        )
        outgoing.on('error', reject).end(body)
      }),
  }
}

/** Connects through the handlers of MSW. The callers limit the number of connections themselves. */
export const overMsw: Connect = async (sim) => {
  const own = handlers(sim)
  const origin = 'https://api.example.com'
  return {
    origin,
    async send(method, path, key, body) {
      const init = { method, headers: headersFor(key), ...(body !== undefined && { body }) }
      const response = await getResponse(own, new Request(origin + path, init))
      if (response === undefined) throw new Error(`No handler answers ${path}`)
      return response.text()
    },
  }
}

/** Runs an action for each item, with a limited number at a time. */
export async function forEach<Item>(
  items: readonly Item[],
  atOnce: number,
  action: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await action(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
