import type { RunnerTestCase } from 'vitest'
import { explainUnnamed } from '../../src/vitest/explain-errors.js'
import { expect, simTest } from '../../src/vitest/index.js'

const HOOK = 'https://app.example.com/hooks'
const failed = { result: { state: 'fail', errors: [{ message: 'no file' }] } } as unknown as RunnerTestCase

async function create(dialect: 'tasks' | 'runway', body: object): Promise<void> {
  const url =
    dialect === 'tasks'
      ? 'https://api.example.com/api/v1/tasks'
      : 'https://api.dev.runwayml.com/v1/text_to_image'
  const headers = {
    authorization: 'Bearer sk_live_local',
    'content-type': 'application/json',
    'x-runway-version': '2024-11-06',
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
}

const receivers = [{ url: HOOK, handle: () => new Response() }]
const named = simTest({ receivers })
const every = simTest({ receivers: receivers.map((receiver) => ({ ...receiver, everyTask: true })) })
const runway = simTest({ receivers, dialect: 'runway' })

named('a failed test whose client forgot to name the receiver is told so', async ({ sim }) => {
  explainUnnamed(failed, sim)
  await create('tasks', { model: 'm', input: {} })
  await sim.clock.runUntilIdle()
  expect(() => explainUnnamed(failed, sim)).toThrow(
    /^No webhook was sent to https:.* of task_\w+ named no webhook\. .*everyTask: true/,
  )
})

named('a failed test whose client has named the receiver is left alone', async ({ sim }) => {
  await create('tasks', { model: 'm', input: {}, webhook_url: `${HOOK}?job=1` })
  explainUnnamed(failed, sim)
  await sim.clock.runUntilIdle()
  explainUnnamed(failed, sim)
})

every('a failed test whose receiver gets the webhooks of every task is left alone', async ({ sim }) => {
  await create('tasks', { model: 'm', input: {} })
  explainUnnamed(failed, sim)
})

runway('a failed test of a service without webhooks is left alone', async ({ sim }) => {
  await create('runway', { model: 'gen4_image', promptText: 'waves', ratio: '1360:768' })
  explainUnnamed(failed, sim)
})
