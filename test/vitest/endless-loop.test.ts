import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished, type RunnerTestCase, vi } from 'vitest'
import { EndlessLoop } from '../../src/vitest/endless-loop.js'
import { expect, simTest } from '../../src/vitest/index.js'
import { folderWith } from '../cli/run.js'
import { deepTest } from '../support/deep.js'

const API = 'https://api.example.com/api/v1'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

async function create(): Promise<string> {
  const body = JSON.stringify({ model: 'm', input: {} })
  return (await (await fetch(`${API}/tasks`, { method: 'POST', headers: HEADERS, body })).json()).id
}

/** Sends requests for the same path, at an interval on the clock. */
async function repeat(path: string, times: number, seconds: number): Promise<void> {
  for (let sent = 0; sent < times; sent++) {
    await fetch(API + path, { headers: HEADERS })
    await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds))
  }
}

/** A test that has failed, as Vitest shows it. */
const failed = (message = 'Test timed out in 5000ms.\nIf this is a long-running test, ...') => {
  // On a slow machine, the last request was long ago.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const errors = [{ message, stack: `Error: ${message}\n    at x` }]
  return { task: { result: { state: 'fail', errors } } as unknown as RunnerTestCase, errors }
}

const stuck = simTest({ scenario: 'stuck' })
const slow = simTest({ scenario: { defaults: { delay: '10m' } } })
const quick = simTest({ scenario: { defaults: { delay: '1s' } } })

stuck('a test that reached its limit in a poll loop names the loop, and the finding', async ({ sim }) => {
  const loop = new EndlessLoop(sim)
  const id = await create()
  await repeat(`/tasks/${id}`, 20, 2)
  const { task, errors } = failed()
  loop.end(task)
  expect(errors[0]?.message).toBe(
    `The client has polled ${id} 20 times for 38 s on the simulator's clock, until Vitest's limit of 5000 ms, and it ` +
      'is still `processing`. See the finding `polls-without-end`: Set a deadline for each wait, whatever the answers are. At the deadline, ' +
      'cancel the task, if the service can do that, and report a timeout. If the client has a deadline, raise the ' +
      'limit of the test, or let the client wait longer between its polls.',
  )
  expect(errors[0]?.stack).toBe(`Error: ${errors[0]?.message}\n    at x`)
})

slow('polls of a task that ends later need more time, unless they are too fast', async ({ sim }) => {
  const [patient, hasty] = [new EndlessLoop(sim), new EndlessLoop(sim)]
  const [first, second] = [failed(), failed()]
  const id = await create()
  await repeat(`/tasks/${id}`, 20, 2)
  patient.end(first.task)
  await repeat(`/tasks/${id}`, 20, 0.02)
  hasty.end(second.task)
  expect(first.errors[0]?.message).toMatch(/still `processing`\. So many polls need more real time than/)
  expect(second.errors[0]?.message).toMatch(/still `processing`\. See the finding `polls-too-fast`: Wait/)
})

quick('polls after the end of a task are counted from there', async ({ sim }) => {
  const loop = new EndlessLoop(sim)
  const id = await create()
  await repeat(`/tasks/${id}`, 22, 1)
  const { task, errors } = failed()
  loop.end(task)
  expect(errors[0]?.message).toMatch(
    /polled \w+ 2[01] times .*, after it had become `succeeded`\. See the finding `polls-after-end`: Stop at/,
  )
})

quick('another loop is named by its request and its last answer', async ({ sim }) => {
  const loop = new EndlessLoop(sim)
  await repeat('/tasks/task_none', 20, 1)
  const { task, errors } = failed()
  loop.end(task)
  expect(errors[0]?.message).toMatch(/sent `GET \/api\/v1\/tasks\/task_none` 20 times .* last answer is 404/)
})

stuck('the error of a test that was in no loop is left alone', async ({ sim }) => {
  const [few, other, passed] = [new EndlessLoop(sim), new EndlessLoop(sim), new EndlessLoop(sim)]
  const id = await create()
  await repeat(`/tasks/${id}`, 19, 1)
  const timedOut = failed()
  few.end(timedOut.task)
  await repeat(`/tasks/${id}`, 2, 1)
  other.end(failed('no result').task)
  passed.end({ result: { state: 'pass' } } as RunnerTestCase)
  expect(timedOut.errors[0]?.message).toMatch(/^Test timed out in 5000ms/)
})

const HOUR = 3_600
const brief = (sim: ConstructorParameters<typeof EndlessLoop>[0]) => new EndlessLoop(sim, 25)
const answered = (loop: EndlessLoop, id: string) =>
  loop.answer(Promise.resolve({ status: 200, headers: { 'x-request-id': id }, body: undefined }))

stuck('a loop that the verdict is sure of gets no more answers', async ({ sim }) => {
  const loop = brief(sim)
  const ids: string[] = []
  sim.on('request.answered', (request) => ids.push(request.id))
  const id = await create()
  await repeat(`/tasks/${id}`, 24, HOUR)
  expect((await answered(loop, ids.at(-1) ?? '')).transmission).toBeUndefined()
  await repeat(`/tasks/${id}`, 1, HOUR)
  expect((await answered(loop, ids.at(-1) ?? '')).transmission).toEqual({ ends: 'before' })
  await repeat('/tasks', 1, 1)
  expect((await answered(loop, ids.at(-1) ?? '')).transmission).toBeUndefined()
  expect(() => loop.end(failed('fetch failed').task)).toThrow(
    /25 times for 24 h .*still `processing`\. The simulator has therefore broken its connections\. See/,
  )
})

const failing = (operation: 'tasks.create' | 'tasks.retrieve') =>
  simTest({ scenario: { faults: [{ when: { operation }, then: 503 }] } })

failing('tasks.retrieve')('polls that fail for a day get no more answers', async ({ sim }) => {
  const loop = brief(sim)
  const id = await create()
  await repeat(`/tasks/${id}`, 26, HOUR + 1)
  expect(() => loop.end(failed('fetch failed').task)).toThrow(
    /sent `GET .*` 25 times for 24 h .* last answer is 503\. The simulator has therefore broken .*`polls-without-end`/,
  )
})

failing('tasks.create')('create requests that fail for a day get no more answers', async ({ sim }) => {
  const loop = brief(sim)
  for (let attempt = 0; attempt < 25; attempt++) {
    await fetch(`${API}/tasks`, { method: 'POST', headers: HEADERS, body: '{"model": "m", "input": {}}' })
    await new Promise((resolve) => setTimeout(resolve, 1_000 * (HOUR + 1)))
  }
  expect(() => loop.end(failed('fetch failed').task)).toThrow(
    /sent `POST .*` 25 times .* broken .*`polls-without-end`/,
  )
})

slow('a loop without any wait gets no more answers, and Vitest can still end its test', async ({ sim }) => {
  const loop = new EndlessLoop(sim)
  const path = `${API}/tasks/${await create()}`
  while (sim.loops.ended === undefined) await fetch(path, { headers: HEADERS }).catch(() => {})
  let broken = 0
  let isOver = false
  const poll = async (): Promise<void> => {
    await fetch(path, { headers: HEADERS }).catch(() => {})
    broken += 1
    if (!isOver) await poll()
  }
  void poll()
  onTestFinished(() => {
    isOver = true
  })
  await expect.poll(() => broken).toBeGreaterThanOrEqual(99)
  expect(() => loop.end(failed('fetch failed').task)).toThrow(
    /sent GET .* 1000 times without a wait, .* under `simTest`\. The simulator has therefore broken its connections\.$/,
  )
})

stuck('a loop with a deadline is answered, however often it polls', async ({ sim }) => {
  const loop = brief(sim)
  let last = ''
  sim.on('request.answered', (request) => {
    last = request.id
  })
  await repeat(`/tasks/${await create()}`, 100, 30)
  expect((await answered(loop, last)).transmission).toBeUndefined()
})

deepTest('Vitest prints the sentence instead of its own', async () => {
  const [library, vitest] = ['src/vitest/index.ts', 'node_modules/vitest/vitest.mjs'].map((path) =>
    join(import.meta.dirname, '../..', path),
  )
  const folder = folderWith({
    'a.test.mjs': `
      import { simTest } from ${JSON.stringify(library)}
      simTest({ scenario: 'stuck' })('polls', async () => {
        const headers = ${JSON.stringify(HEADERS)}
        const body = '{"model": "m", "input": {}}'
        const { id } = await (await fetch('${API}/tasks', { method: 'POST', headers, body })).json()
        for (;;) {
          await fetch('${API}/tasks/' + id, { headers })
          await new Promise((resolve) => setTimeout(resolve, 2_000))
        }
      })`,
  })
  const args = [String(vitest), 'run', '--root', folder, '--no-color']
  const running = promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '../..') })
  await expect(running).rejects.toMatchObject({
    stdout: expect.stringContaining('1 failed'),
    stderr: expect.stringMatching(/^(?!.*timed out in).*The client has polled task_\w+ \d+ times/s),
  })
})
