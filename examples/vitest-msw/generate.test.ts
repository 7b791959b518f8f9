import { defineScenario } from 'tasksim'
import { expect, simTest } from 'tasksim/vitest'
import { generateVideo } from './generate.js'

const test = simTest({ baseUrl: 'https://api.example.com/api/v1' })

test('a video is ready after a few polls, and can be downloaded', async ({ sim }) => {
  const url = await generateVideo('waves', () => sim.clock.advance('3s'))
  const file = await fetch(url)
  expect(file.headers.get('content-type')).toBe('video/mp4')
  expect(sim).toHaveSucceeded()
  expect(sim).toHaveNoFindings()
})

test('a failed generation is reported, and costs nothing', async ({ sim }) => {
  const error = { code: 'content_policy', message: 'No.' }
  sim.useScenario(defineScenario({ rules: [{ then: { outcome: 'failed', error } }] }))
  await expect(generateVideo('waves', () => sim.clock.advance('3s'))).rejects.toThrow('No.')
  expect(sim).toHaveCost(0)
})
