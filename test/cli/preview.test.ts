import { expect, it } from 'vitest'
import { showProgress } from '../../src/cli/progress.js'
import { deepTest } from '../support/deep.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

async function preview(scenario: string, ...options: string[]) {
  const running = runInProcess(folderWith({ 'a.yaml': scenario }), ['preview', 'a.yaml', ...options])
  expect(await running.ended).toBe(0)
  return running.stdout()
}

it('tasksim preview shows the outcomes, errors, times and costs of a scenario', async () => {
  const scenario = `
    models: { acme/video: { delay: { min: 10s, max: 20s }, price: { per_second: 0.1 } } }
    rules:
      - { when: { input: { variant: { max: 49 } } }, then: { outcome: failed, error: { code: early, message: No } } }
      - { when: { input: { variant: { min: 150 } } }, then: { outcome: stuck } }`
  const [sample] = JSON.parse(await preview(scenario, '--tasks', '200', '--json'))
  expect(sample).toMatchObject({
    model: 'acme/video',
    kind: 'video',
    tasks: 200,
    outcomes: { failed: 50, succeeded: 100, stuck: 50 },
    errors: { early: 50 },
    cost_usd: { total: 50, per_success: 0.5 },
    attempts_per_task: 0.75,
  })
  const { p50, p99, p100 } = sample.processing_ms
  expect([p50 > 14_000 && p50 < 16_000, p99 > 19_500, p100 <= 20_000]).toEqual([true, true, true])
  expect(sample.queue_ms.p100).toBe(0)
})

it('tasksim preview shows the queueing time of tasks, and the number of requests that a full queue rejects', async () => {
  const scenario = 'defaults: { delay: 3s }\ncapacity: { running: 1, queued: 2 }'
  const text = await preview(scenario, '--model', 'acme/image', '--tasks', '100', '--every', '1s')
  expect(text).toMatch(/acme\/image \(image, 100 create requests, 36 tasks\)/)
  expect(text).toMatch(/queued +p50 6\.00s .* max 6\.00s/)
  expect(text).toMatch(/answers +429 rate_limited: 64\.00 %, 200: 36\.00 %/)
})

it('tasksim preview takes the scenario after an option that may be repeated', async () => {
  const args = ['preview', '--tasks', '2', '--model', 'acme/image', '--model', 'acme/video', 'a.yaml']
  const running = runInProcess(folderWith({ 'a.yaml': 'extends: instant' }), args)
  expect(await running.ended, running.stderr()).toBe(0)
  expect(running.stdout()).toMatch(/^acme\/image [\s\S]*^acme\/video /m)
})

it('tasksim preview shows the number of webhooks for each receiver, even if the scenario has no receivers', async () => {
  const text = await preview('extends: instant', '--model', 'acme/image', '--tasks', '2')
  expect(text).toMatch(/webhooks +1\.00 attempts per task, for a receiver that accepts all/)
})

it('tasksim preview shows that tasks are free, and shows small prices to the micro-dollar', async () => {
  const priced = (price: string) =>
    preview(`defaults: { delay: 0s, price: ${price} }`, '--model', 'acme/image', '--tasks', '3')
  expect(await priced('{ per_task: 0 }')).toMatch(/cost +\$0 per success, \$0 total/)
  expect(await priced('{ per_task: 0.000002 }')).toMatch(/cost +\$0\.000002 per success, \$0\.000006 total/)
})

it('tasksim preview runs one model of each kind if the scenario names none', async () => {
  const samples: { kind: string }[] = JSON.parse(await preview('extends: instant', '--tasks', '2', '--json'))
  expect(samples.map(({ kind }) => kind)).toEqual(['image', 'video', 'audio', 'tool', 'llm', 'transcript'])
})

deepTest(
  'tasksim preview shows confidence intervals, and names the rules that the figures leave out',
  async () => {
    const scenario =
      'extends: flaky\nfaults: [{ name: slow polls, when: { operation: tasks.retrieve }, then: hang }]'
    const text = await preview(scenario, '--model', 'acme/image')
    expect(text).toMatch(/\(image, 1,000 create requests, 1,000 tasks\)/)
    const [, low, high] = /failed [\d.]+ % \(([\d.]+) to ([\d.]+)\)/.exec(text) ?? []
    expect([Number(low) < 20, Number(high) > 20]).toEqual([true, true])
    expect(text).toContain('not shown   slow polls (tasks.retrieve)')
    expect(text).toContain('95 % confidence intervals')
  },
)

deepTest(
  'tasksim preview sends fewer requests per model if there are many models, to limit the total time',
  async () => {
    const models = Array.from({ length: 40 }, (_, index) => `acme/image-${index}: { delay: 1s }`)
    const samples = JSON.parse(await preview(`models: { ${models.join(', ')} }`, '--json'))
    expect(samples.map(({ requests }: { requests: number }) => requests)).toEqual(Array(40).fill(125))
  },
)

function progressOn(stream: { isTTY?: boolean }) {
  let time = 0
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  const show = showProgress(
    { command: 'preview', total: 10_000, unit: 'requests sent' },
    { ...stream, write },
    () => time,
  )
  const at = (seconds: number, done: number) => {
    time = 1_000 * seconds
    show(done)
  }
  return { at, written }
}

it('tasksim preview writes one line of progress per second without a terminal, and none for a short run', () => {
  const { at, written } = progressOn({})
  at(0.9, 100)
  at(1.1, 2_000)
  at(1.5, 3_000)
  at(2.2, 4_500)
  at(9, 10_000)
  expect(written).toEqual([
    'tasksim preview: 2,000 of 10,000 requests sent (20 %)\n',
    'tasksim preview: 4,500 of 10,000 requests sent (45 %)\n',
  ])
})

it('tasksim preview draws a progress bar on a terminal, and removes it at the end', () => {
  const { at, written } = progressOn({ isTTY: true })
  at(0.9, 100)
  at(1.1, 5_000)
  at(2, 10_000)
  expect(written).toEqual([expect.stringMatching(/^\r█{15}░{15} 50 %$/), '\r\x1b[K'])
})

it.each([
  [['--tasks', '0'], '--tasks must be a whole number from 1 to 10,000,000; got 0.'],
  [['--every', 'often'], '--every must be a duration'],
])('tasksim preview rejects %j', async (options, message) => {
  const running = runInProcess(folderWith(), ['preview', 'instant', ...options])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain(message)
})

it('tasksim preview shows the learned figures of a learned scenario next to the simulated ones', async () => {
  const text = await preview(
    `models: { acme/video: { delay: 10s } }
learned: { version: 1, tasks: { acme/video: 600 } }
expect:
  - create: { model: acme/video, input: {} }
    outcomes: { failed: { max: 0.02 } }
    processing: { p50: { min: 9s, max: 11s }, p99: { min: 10s } }`,
    ...['--tasks', '20'],
  )
  expect(text).toContain(
    'learned     failed 0.00 to 2.00 %; processing p50 9.00s to 11.00s  p99 from 10.00s\n',
  )
})
