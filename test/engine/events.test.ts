import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.js'

const order = (prompt: string) => ({
  owner: 'k',
  model: 'acme/image-1',
  input: { prompt },
  webhookUrl: undefined,
  origin: 'http://127.0.0.1',
})

test('an error in a listener is reported, and loses no task', async () => {
  const sim = createSimulator({ clock: 'manual', scenario: { extends: 'default', capacity: { running: 1 } } })
  const errors: unknown[] = []
  for (const name of ['task.created', 'task.started', 'task.finished'] as const) {
    sim.on(name, () => {
      throw new Error(name)
    })
  }
  sim.on('error', (error) => {
    errors.push((error as Error).message)
    throw error
  })
  for (const prompt of ['one', 'two', 'three']) await sim.tasks.create(order(prompt))
  await sim.clock.advance('1h')
  const { tasks } = (await sim.tasks.list({ owner: 'k', limit: 10 })) ?? { tasks: [] }
  expect(tasks.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  expect(errors.length).toBe(8)
})
