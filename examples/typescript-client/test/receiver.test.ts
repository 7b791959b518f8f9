import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Simulator, signPayload } from 'tasksim'
import { simTest } from 'tasksim/vitest'
import { afterEach, expect } from 'vitest'
import { Client } from '../src/client.js'
import { createReceiver, type TaskEvent } from '../src/receiver.js'

const SECRET = 'whsec_test'
const API = 'https://api.example.com/api/v1'
// The receiver is a real server, to which the simulator's webhooks go over the network.
const test = simTest({ baseUrl: API, webhookSecret: SECRET, onUnhandledRequest: 'bypass' })
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A receiver that listens, and the events that it has worked on. */
async function listening() {
  const events: TaskEvent[] = []
  const app = createReceiver(SECRET, {
    work: async (event) => void events.push(event),
    failed: (_, error) => expect.unreachable(String(error)),
  })
  const server = app.listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { events, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks` }
}

/** Lets tasks end, with all their webhooks. */
async function finish(sim: Simulator, webhookUrl: string, tasks = 1): Promise<void> {
  const wait = (milliseconds: number) => sim.clock.advance(milliseconds)
  const client = new Client({ baseUrl: API, apiKey: 'sk_live_local', wait })
  const order = { model: 'acme/image-1', webhook_url: webhookUrl }
  const created = await Promise.all(
    Array.from({ length: tasks }, (_, number) =>
      client.create({ ...order, input: { prompt: `wave ${number}` } }),
    ),
  )
  await sim.clock.advance('1h')
  await Promise.all(created.map(({ id }) => client.retrieve(id)))
}

test('a finished task is worked on', async ({ sim }) => {
  const { events, url } = await listening()
  await finish(sim, url)
  expect(events).toMatchObject([{ event: 'task.succeeded', task: { status: 'succeeded' } }])
  expect(sim.webhooks.log.list({ limit: 1 })?.deliveries[0]?.state).toBe('delivered')
})

test('events that come twice, late and out of order are worked on once each', async ({ sim }) => {
  sim.useScenario('webhook-storm')
  const { events, url } = await listening()
  await finish(sim, url, 20)
  expect(new Set(events.map(({ task }) => task.id)).size).toBe(20)
  expect(events).toHaveLength(20)
})

test('a forged event is refused', async ({ sim }) => {
  sim.useScenario('webhook-forgery')
  const { events, url } = await listening()
  await finish(sim, url, 4)
  expect((await sim.findings()).map(({ id }) => id)).not.toContain('accepts-forged-webhook')
  expect(events).toHaveLength(4)
  expect(events.every(({ event }) => event === 'task.succeeded')).toBe(true)
})

test.for(['', 'null', '[]', '{"event": "task.succeeded"}'])(
  'what is no event is refused: %j',
  async (body) => {
    const { events, url } = await listening()
    const headers = { 'x-service-signature': signPayload(body, SECRET) }
    const answer = await fetch(url, { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
    expect(events).toEqual([])
  },
)
