import { setupServer } from 'msw/node'
import { createSimulator, defineScenario } from 'tasksim'
import { handlers } from 'tasksim/msw'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateVideo } from './generate.js'

const sim = createSimulator({ clock: 'manual' })
const server = setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('a video is ready after a few polls, and can be downloaded', async () => {
  const url = await generateVideo('waves', () => sim.clock.advance('3s'))
  const file = await fetch(url)
  expect(file.headers.get('content-type')).toBe('video/mp4')
})

test('a failed generation is reported', async () => {
  await sim.reset()
  const error = { code: 'content_policy', message: 'No.' }
  sim.useScenario(defineScenario({ rules: [{ then: { outcome: 'failed', error } }] }))
  await expect(generateVideo('waves', () => sim.clock.advance('3s'))).rejects.toThrow('No.')
})
