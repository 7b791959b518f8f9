import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setupServer } from 'msw/node'
import { createSimulator, defineScenario } from 'tasksim'
import { handlers } from 'tasksim/msw'
import { generateVideo } from './generate.js'

const sim = createSimulator({ clock: 'manual' })
const server = setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }))

before(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => sim.reset())
after(() => server.close())

test('a video is ready after a few polls, and can be downloaded', async () => {
  const url = await generateVideo('waves', () => sim.clock.advance('3s'))
  const file = await fetch(url)
  assert.equal(file.headers.get('content-type'), 'video/mp4')
  assert.deepEqual(await sim.findings({ final: true }), [])
})

test('a failed generation is reported', async () => {
  await assert.rejects(generateVideo('[[sim outcome=failed]] waves', () => sim.clock.advance('3s')))
})

test('the client retries after 429, 503 and a lost response', async () => {
  const busy = { status: 429, retry_after: '10s' }
  const faults = [
    { when: { operation: 'tasks.create' }, then: [busy] },
    { when: { operation: 'tasks.retrieve' }, then: ['reset', 503, busy] },
  ]
  sim.useScenario(defineScenario({ faults }))
  const url = await generateVideo('waves', (milliseconds) => sim.clock.advance(milliseconds))
  assert.ok((await fetch(url)).ok)
  assert.deepEqual(await sim.findings({ final: true }), [])
})
