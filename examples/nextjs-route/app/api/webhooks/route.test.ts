import { type Simulator, signPayload } from 'tasksim'
import { simTest } from 'tasksim/vitest'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { allEvents, deleteAllEvents } from '../../../lib/events.js'
import { POST } from './route.js'

const SECRET = 'whsec_test'
const HOOK = 'https://app.example.com/api/webhooks'
const test = simTest({
  webhookSecret: SECRET,
  receivers: [{ url: HOOK, handle: POST }],
})

beforeEach(() => void vi.stubEnv('WEBHOOK_SECRET', SECRET))
afterEach(async () => {
  vi.unstubAllEnvs()
  await deleteAllEvents()
})

/** Creates image tasks and advances the clock until all webhooks have been answered. */
async function runTasks(sim: Simulator, images = 1): Promise<void> {
  for (let count = 0; count < images; count++) {
    await fetch('https://api.example.com/api/v1/tasks', {
      method: 'POST',
      headers: { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'acme/image-1', input: { prompt: `wave ${count}` }, webhook_url: HOOK }),
    })
  }
  await sim.clock.runUntilIdle()
}

const lastDelivery = (sim: Simulator) => sim.webhooks.log.list({ limit: 1 })?.deliveries[0]

function post(body: string, signature = signPayload(body, SECRET)): Promise<Response> {
  const headers = { 'x-service-signature': signature }
  return POST(new Request(HOOK, { method: 'POST', headers, body }))
}

test('the event of a finished task is stored', async ({ sim }) => {
  await runTasks(sim)
  expect(lastDelivery(sim)?.state).toBe('delivered')
  expect(await allEvents()).toMatchObject([{ event: 'task.succeeded', task: { status: 'succeeded' } }])
})

test('a duplicate event is stored once', async ({ sim }) => {
  sim.useScenario('webhook-storm')
  await runTasks(sim, 20)
  const ids = (await allEvents()).map(({ task }) => task.id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a forged event is rejected, and the valid one that follows is stored', async ({ sim }) => {
  sim.useScenario('webhook-forgery')
  await runTasks(sim, 4)
  expect(await allEvents()).toHaveLength(4)
  expect((await sim.findings()).map(({ id }) => id)).not.toContain('accepts-forged-webhook')
})

test.for(['', 'f'.repeat(64), 'F'.repeat(64), 'é'])('the signature %j is rejected', async (signature) => {
  expect((await post('{}', signature)).status).toBe(401)
})

test.for(['', 'null', '{"event": "task.succeeded"}'])(
  'a body that is not an event is rejected: %j',
  async (body) => {
    expect((await post(body)).status).toBe(400)
  },
)

test('without a secret, the handler fails and the sender retries', async ({ sim }) => {
  vi.stubEnv('WEBHOOK_SECRET', '')
  await runTasks(sim)
  expect(lastDelivery(sim)?.state).toBe('given_up')
  expect(await allEvents()).toEqual([])
})
