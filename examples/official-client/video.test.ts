import RunwayML, { TaskFailedError } from '@runwayml/sdk'
import { defineScenario } from 'tasksim'
import { expect, simTest } from 'tasksim/vitest'

const test = simTest({ dialect: 'runway' })

const VIDEO = {
  model: 'gen4_turbo',
  promptImage: 'https://example.com/bunny.jpg',
  ratio: '1280:720',
} as const

test('the client polls until the video is ready, without real waiting', async ({ sim }) => {
  const client = new RunwayML({ apiKey: 'any-key' })
  const { output } = await client.imageToVideo.create(VIDEO).waitForTaskOutput()
  const file = await fetch(String(output[0]))
  expect(file.headers.get('content-type')).toBe('video/mp4')
  expect(sim).toHaveSucceeded()
  expect(sim).toHaveNoFindings()
})

test('the client throws if the task fails', async ({ sim }) => {
  sim.useScenario(defineScenario({ rules: [{ then: { outcome: 'failed' } }] }))
  const client = new RunwayML({ apiKey: 'any-key' })
  const waiting = client.imageToVideo.create(VIDEO).waitForTaskOutput()
  await expect(waiting).rejects.toBeInstanceOf(TaskFailedError)
})
