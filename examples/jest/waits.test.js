const { setupServer } = require('msw/node')
const { createSimulator } = require('tasksim')
const { handlers } = require('tasksim/msw')
const { generateVideo } = require('./generate.js')
const { timeFor } = require('./until-done.js')

const sim = createSimulator({ clock: 'manual' })
const server = setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }))
const untilDone = timeFor(sim, server)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => jest.useFakeTimers({ now: sim.clock.now() }))
afterEach(() => jest.useRealTimers())
afterEach(() => sim.reset())
afterAll(() => server.close())

test('the client waits by itself, in no time', async () => {
  const url = await untilDone(generateVideo('waves'))
  const file = await fetch(url)
  expect(file.headers.get('content-type')).toBe('video/mp4')
  expect(await sim.findings({ final: true })).toEqual([])
})

test('a failed generation is reported', async () => {
  await expect(untilDone(generateVideo('[[sim outcome=failed]] waves'))).rejects.toThrow()
})
