const { setupServer } = require('msw/node')
const { createSimulator, defineScenario } = require('tasksim')
const { handlers } = require('tasksim/msw')
const { generateVideo } = require('./generate.js')

const sim = createSimulator({ clock: 'manual' })
const server = setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => sim.reset())
afterAll(() => server.close())

test('a video is ready after a few polls, and can be downloaded', async () => {
  const url = await generateVideo('waves', () => sim.clock.advance('3s'))
  const file = await fetch(url)
  expect(file.headers.get('content-type')).toBe('video/mp4')
  expect(await sim.findings({ final: true })).toEqual([])
})

test('a failed generation is reported', async () => {
  await expect(generateVideo('[[sim outcome=failed]] waves', () => sim.clock.advance('3s'))).rejects.toThrow()
})

test('the client retries after 429, 503 and a lost response', async () => {
  const busy = { status: 429, retry_after: '10s' }
  const faults = [
    { when: { operation: 'tasks.create' }, then: [busy] },
    { when: { operation: 'tasks.retrieve' }, then: ['reset', 503, busy] },
  ]
  sim.useScenario(defineScenario({ faults }))
  const url = await generateVideo('waves', (milliseconds) => sim.clock.advance(milliseconds))
  expect((await fetch(url)).ok).toBe(true)
  expect(await sim.findings({ final: true })).toEqual([])
})
