import OpenAI from 'openai'
import Replicate from 'replicate'
import { handlers } from '../../src/hosts/msw/index.js'
import { expect, simTest } from '../../src/vitest/index.js'

const test = simTest({ dialect: 'replicate' })

test('the clients of two services wait on the clock of one test', async ({ sim, server }) => {
  server.use(...handlers(sim, { dialect: 'openai' }))
  const replicate = new Replicate({ auth: 'r8_any_key' })
  const openai = new OpenAI({ apiKey: 'sk-any-key' })
  const started = sim.clock.now()
  const model = 'openai/gpt-5'
  const prediction = await replicate.predictions.create({ model, input: { prompt: 'Say hello' } })
  const [ended, held] = await Promise.all([
    replicate.wait(prediction, { interval: 500 }),
    openai.responses.create({ model: 'gpt-5', input: 'Say hello' }),
  ])
  expect([ended.status, held.status]).toEqual(['succeeded', 'completed'])
  let video = await openai.videos.create({ model: 'sora-2', prompt: 'waves' })
  while (video.status !== 'completed') {
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    video = await openai.videos.retrieve(video.id)
  }
  await (await openai.videos.downloadContent(video.id)).arrayBuffer()
  expect(sim.clock.now() - started).toBeLessThan(20_000)
  expect(sim).toHaveSucceeded()
  expect(sim).toHaveNoFindings()
})
