import { createFal } from '@ai-sdk/fal'
import { experimental_generateVideo as generateVideo } from 'ai'
import { defineScenario } from 'tasksim'
import { expect, simTest } from 'tasksim/vitest'

const test = simTest({ dialect: 'fal' })

const fal = createFal({ apiKey: 'any-key' })
const VIDEO = { model: fal.video('fal-ai/luma-dream-machine/ray-2'), prompt: 'a fox in the snow' }

test('a video is generated without real waiting', async ({ sim }) => {
  const { video } = await generateVideo(VIDEO)
  expect(video.mediaType).toBe('video/mp4')
  expect(sim).toHaveSucceeded()
  expect(sim).toHaveNoFindings()
})

test('a failure is an error', async ({ sim }) => {
  sim.useScenario(defineScenario({ rules: [{ then: { outcome: 'failed' } }] }))
  await expect(generateVideo(VIDEO)).rejects.toThrow()
})
