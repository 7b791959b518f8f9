import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, mock, test } from 'node:test'
import { setupServer } from 'msw/node'
import { createSimulator } from 'tasksim'
import { handlers } from 'tasksim/msw'
import { generateVideo } from './generate.js'
import { timeFor } from './until-done.js'

const sim = createSimulator({ clock: 'manual' })
const server = setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }))
const untilDone = timeFor(sim, server)

before(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: sim.clock.now() }))
afterEach(() => mock.timers.reset())
afterEach(() => sim.reset())
after(() => server.close())

test('the client waits by itself, in no time', async () => {
  const url = await untilDone(generateVideo('waves'))
  const file = await fetch(url)
  assert.equal(file.headers.get('content-type'), 'video/mp4')
  assert.deepEqual(await sim.findings({ final: true }), [])
})

test('a failed generation is reported', async () => {
  await assert.rejects(untilDone(generateVideo('[[sim outcome=failed]] waves')))
})
