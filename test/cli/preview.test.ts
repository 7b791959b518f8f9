import { expect, it } from 'vitest'
import { folderWith, start } from './run.js'

async function preview(scenario: string, ...options: string[]) {
  const running = start(folderWith({ 'a.yaml': scenario }), ['preview', 'a.yaml', ...options])
  expect([await running.ended, running.stderr()]).toEqual([0, ''])
  return running.stdout()
}

it('shows what a scenario will do: outcomes, errors, times, costs', async () => {
  const scenario = `
    models: { acme/video: { delay: { min: 10s, max: 20s }, price: { per_second: 0.1 } } }
    rules:
      - { when: { input: { variant: { max: 249 } } }, then: { outcome: failed, error: { code: early, message: No } } }
      - { when: { input: { variant: { min: 750 } } }, then: { outcome: stuck } }`
  const [sample] = JSON.parse(await preview(scenario, '--tasks', '1000', '--json'))
  expect(sample).toMatchObject({
    model: 'acme/video',
    kind: 'video',
    tasks: 1000,
    outcomes: { failed: 250, succeeded: 500, stuck: 250 },
    errors: { early: 250 },
    cost_usd: { total: 250, per_success: 0.5 },
    attempts_per_task: 0.75,
  })
  const { p50, p99, p100 } = sample.processing_ms
  expect([p50 > 14_000 && p50 < 16_000, p99 > 19_500, p100 <= 20_000]).toEqual([true, true, true])
  expect(sample.queue_ms.p100).toBe(0)
})

it('shows how long tasks wait, and how many are turned away, for want of capacity', async () => {
  const scenario = 'defaults: { delay: 3s }\ncapacity: { running: 1, queued: 2 }'
  const text = await preview(scenario, '--model', 'acme/image', '--tasks', '100', '--every', '1s')
  expect(text).toMatch(/acme\/image \(image, 100 tasks\)/)
  expect(text).toMatch(/queued +p50 6\.00s .* max 6\.00s/)
  expect(text).toMatch(/refused 6\d\.00 %/)
})

it('runs one model of each kind where the scenario names none', async () => {
  const samples: { kind: string }[] = JSON.parse(await preview('extends: instant', '--tasks', '2', '--json'))
  expect(samples.map(({ kind }) => kind)).toEqual(['image', 'video', 'audio', 'tool', 'llm'])
})

it.each([
  [['--tasks', '0'], '--tasks must be a whole number from 1'],
  [['--every', 'often'], '--every must be a duration'],
])('refuses %j', async (options, message) => {
  const running = start(folderWith(), ['preview', 'instant', ...options])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain(message)
})
