import { defineScenario } from 'tasksim'
import { expect, simTest } from 'tasksim/vitest'

const API = 'https://api.example.com/api/v1'
const headers = { Authorization: 'Bearer sk_live_local', 'Content-Type': 'application/json' }

interface Task {
  id: string
  status: string
  output: { video: string }
  error: { message: string }
}

// The code under test. In a project, import your own.
async function generateVideo(prompt: string, wait: () => Promise<void>): Promise<string> {
  const body = JSON.stringify({ model: 'acme/video-1', input: { prompt, duration: 5 } })
  let task = (await (await fetch(`${API}/tasks`, { method: 'POST', headers, body })).json()) as Task
  while (task.status === 'queued' || task.status === 'processing') {
    await wait()
    task = (await (await fetch(`${API}/tasks/${task.id}`, { headers })).json()) as Task
  }
  if (task.status !== 'succeeded') throw new Error(task.error.message)
  return task.output.video
}

const test = simTest({ baseUrl: API })

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
