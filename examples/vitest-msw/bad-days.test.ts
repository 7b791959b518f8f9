import { defineScenario } from 'tasksim'
import { expect, simTest } from 'tasksim/vitest'
import { generateVideo } from './generate.js'

const test = simTest({ baseUrl: 'https://api.example.com/api/v1' })

test('the client handles a queue, a busy service and a lost response', async ({ sim }) => {
  const busy = { status: 429, retry_after: '10s' } as const
  const faults = [
    { when: { operation: 'tasks.create' as const }, then: [busy] },
    { when: { operation: 'tasks.retrieve' as const }, then: ['reset' as const, 503, busy] },
  ]
  sim.useScenario(defineScenario({ capacity: { running: 1 }, faults }))
  const wait = (milliseconds: number) => sim.clock.advance(milliseconds)
  const urls = await Promise.all(['waves', 'dunes'].map((prompt) => generateVideo(prompt, wait)))
  for (const url of urls) await fetch(url)
  expect(sim).toHaveSucceeded()
  expect(sim).toHaveNoFindings()
})

test('a rejection is reported immediately', async ({ sim }) => {
  sim.useScenario(defineScenario({ api: { unknown_models: 'reject' } }))
  const wait = (milliseconds: number) => sim.clock.advance(milliseconds)
  await expect(generateVideo('waves', wait)).rejects.toThrow('404')
  expect((await sim.control.journal.list({ type: 'request' })).data).toHaveLength(1)
  expect(sim).toHaveNoFindings()
})
