import { type Simulator, signPayload } from 'tasksim'
import { simTest } from 'tasksim/vitest'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { allEvents, forgetAll } from '../../../lib/events.js'
import { POST } from './route.js'

const SECRET = 'whsec_test'
const test = simTest({
  webhookSecret: SECRET,
  receivers: [{ url: 'https://app.example.com/api/webhooks', handle: POST }],
})

beforeEach(() => void vi.stubEnv('WEBHOOK_SECRET', SECRET))
afterEach(async () => {
  vi.unstubAllEnvs()
  await forgetAll()
})

/** Orders images, and lets time pass until all their webhooks have been answered. */
async function make(sim: Simulator, images = 1): Promise<void> {
  for (let count = 0; count < images; count++) {
    await fetch('https://api.example.com/api/v1/tasks', {
      method: 'POST',
      headers: { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'acme/image-1', input: { prompt: `wave ${count}` } }),
    })
  }
  await sim.clock.runUntilIdle()
}

const lastDelivery = (sim: Simulator) => sim.webhooks.log.list({ limit: 1 })?.deliveries[0]

function post(body: string, signature = signPayload(body, SECRET)): Promise<Response> {
  const headers = { 'x-service-signature': signature }
  return POST(new Request('https://app.example.com/api/webhooks', { method: 'POST', headers, body }))
}

test('a finished task is remembered', async ({ sim }) => {
  await make(sim)
  expect(lastDelivery(sim)?.state).toBe('delivered')
  expect(await allEvents()).toMatchObject([{ event: 'task.succeeded', task: { status: 'succeeded' } }])
})

test('an event that comes twice is remembered once', async ({ sim }) => {
  sim.useScenario('webhook-storm')
  await make(sim, 20)
  const ids = (await allEvents()).map(({ task }) => task.id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a forged event is refused, and the genuine one that follows is remembered', async ({ sim }) => {
  sim.useScenario('webhook-forgery')
  await make(sim, 4)
  expect(await allEvents()).toHaveLength(4)
  expect((await sim.findings()).map(({ id }) => id)).not.toContain('accepts-forged-webhook')
})

test.for(['', 'f'.repeat(64), 'F'.repeat(64), 'é'])('the signature %j is refused', async (signature) => {
  expect((await post('{}', signature)).status).toBe(401)
})

test.for(['', 'null', '{"event": "task.succeeded"}'])('what is no event is refused: %j', async (body) => {
  expect((await post(body)).status).toBe(400)
})

test('an app that does not know its secret says so, and gets the event again', async ({ sim }) => {
  vi.stubEnv('WEBHOOK_SECRET', '')
  await make(sim)
  expect(lastDelivery(sim)?.state).toBe('given_up')
  expect(await allEvents()).toEqual([])
})
