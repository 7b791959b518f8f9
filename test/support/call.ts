import { answer } from '../../src/hosts/api.js'
import type { Simulator } from '../../src/index.js'

/** An answer of the API, without a host. */
export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the answer
  readonly body: any
}

const encoder = new TextEncoder()

/** Sends a request to a simulator without a host. */
export async function call(sim: Simulator, key: string, request: string, body?: object): Promise<Answered> {
  const [method = '', target = ''] = request.split(' ')
  const [path = '', query = ''] = target.split('?')
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  }
  const reply = await answer(sim, {
    method,
    path: `/v1/tasks${path}`,
    query,
    origin: 'http://localhost',
    header: (name) => headers[name],
    body: async () => encoder.encode(JSON.stringify(body ?? {})),
  })
  return { status: reply.status, body: JSON.parse(String(reply.body)) }
}
