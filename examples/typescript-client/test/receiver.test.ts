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
// The receiver is a real server; webhooks reach it over the network.
const test = simTest({ baseUrl: API, webhookSecret: SECRET })
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a receiver that records the events it processes. */
async function startReceiver() {
  const events: TaskEvent[] = []
  const app = createReceiver(SECRET, {
    process: async (event) => void events.push(event),
    onError: (_, error) => expect.unreachable(String(error)),
  })
  const server = app.listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { events, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks` }
}

/** Creates tasks and advances the clock until their webhooks are delivered. */
async function runTasks(sim: Simulator, webhookUrl: string, tasks = 1): Promise<void> {
  const wait = (milliseconds: number) => sim.clock.advance(milliseconds)
  const client = new Client({ baseUrl: API, apiKey: 'sk_live_local', wait })
  const request = { model: 'acme/image-1', webhook_url: webhookUrl }
  const created = await Promise.all(
    Array.from({ length: tasks }, (_, number) =>
      client.create({ ...request, input: { prompt: `wave ${number}` } }),
    ),
  )
  await sim.clock.advance('1h')
  await Promise.all(created.map(({ id }) => client.retrieve(id)))
}

test('the receiver processes the event of a finished task', async ({ sim }) => {
  const { events, url } = await startReceiver()
  await runTasks(sim, url)
  expect(events).toMatchObject([{ event: 'task.succeeded', task: { status: 'succeeded' } }])
  expect(sim.webhooks.log.list({ limit: 1 })?.deliveries[0]?.state).toBe('delivered')
})

test('duplicate, late and reordered events are processed once each', async ({ sim }) => {
  sim.useScenario('webhook-storm')
  const { events, url } = await startReceiver()
  await runTasks(sim, url, 20)
  expect(new Set(events.map(({ task }) => task.id)).size).toBe(20)
  expect(events).toHaveLength(20)
})

test('a forged event is rejected', async ({ sim }) => {
  sim.useScenario('webhook-forgery')
  const { events, url } = await startReceiver()
  await runTasks(sim, url, 4)
  expect((await sim.findings()).map(({ id }) => id)).not.toContain('accepts-forged-webhook')
  expect(events).toHaveLength(4)
  expect(events.every(({ event }) => event === 'task.succeeded')).toBe(true)
})

test.for(['', 'null', '[]', '{"event": "task.succeeded"}'])(
  'a body that is not an event is rejected: %j',
  async (body) => {
    const { events, url } = await startReceiver()
    const headers = { 'x-service-signature': signPayload(body, SECRET) }
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    expect(events).toEqual([])
  },
)
