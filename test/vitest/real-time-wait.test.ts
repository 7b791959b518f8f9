import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunnerTestCase, vi } from 'vitest'
import { expect, test } from '../../src/vitest/index.js'
import { RealTimeWait } from '../../src/vitest/real-time-wait.js'
import { folderWith } from '../cli/run.js'
import { deepTest } from '../support/deep.js'

const API = 'https://api.example.com/api/v1'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const create = (body: object = {}, signal: AbortSignal | null = null) =>
  fetch(`${API}/tasks`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ model: 'm', input: {}, ...body }),
    signal,
  })

/** A test that has failed, as Vitest shows it. */
const failed = (message = 'Test timed out in 5000ms.\nIf this is a long-running test, ...') => {
  const errors = [{ message, stack: `Error: ${message}\n    at x` }]
  return { task: { result: { state: 'fail', errors } } as unknown as RunnerTestCase, errors }
}

const passTime = (milliseconds: number) => {
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + milliseconds)
}

test('a test that reached its limit says that it waited for a clock that stood', async ({ sim }) => {
  const wait = new RealTimeWait(sim, false)
  await create()
  passTime(5_000)
  const { task, errors } = failed()
  await wait.end(task)
  expect(errors[0]?.message).toMatch(
    /^The test waits in real time until Vitest's limit of 5000 ms for the end of task_\w+, which is due at 2026-01-01T00:00:02.000Z .* Advance the clock: `await sim.clock.advance\('2s'\)`/,
  )
  expect(errors[0]?.stack).toBe(`Error: ${errors[0]?.message}\n    at x`)
})

test('a request without an answer is named, if its client waits without a time limit', async ({ sim }) => {
  sim.useScenario('unanswered-create')
  const [open, closed] = [new RealTimeWait(sim, false), new RealTimeWait(sim, false)]
  const leave = new AbortController()
  const answered = new Promise((resolve) => sim.on('request.answered', resolve))
  const waiting = create({}, leave.signal).catch(() => {})
  await answered
  passTime(5_000)
  const [unlimited, limited] = [failed(), failed()]
  await open.end(unlimited.task)
  leave.abort()
  await waiting
  await closed.end(limited.task)
  expect(unlimited.errors[0]?.message).toMatch(
    /^The client waits for the answer to `POST \/api\/v1\/tasks` .* The fault `no answer` .* time limit/,
  )
  expect(limited.errors[0]?.message).not.toContain('no answer')
})

test('its advice depends on the timers of the test', async ({ sim }) => {
  const [withReal, withFakes] = [new RealTimeWait(sim, true), new RealTimeWait(sim, false)]
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await create()
  vi.useRealTimers()
  passTime(5_000)
  const [real, fake] = [failed(), failed()]
  await withReal.end(real.task)
  await withFakes.end(fake.task)
  expect(real.errors[0]?.message).toContain('Remove `vi.useFakeTimers()`')
  expect(fake.errors[0]?.message).toContain('Remove `vi.useFakeTimers()`')
})

test('the error of a client that polled a clock that stood is followed by the reason', async ({ sim }) => {
  const wait = new RealTimeWait(sim, true)
  const { id } = await (await create()).json()
  for (let polls = 0; polls < 3; polls++) await fetch(`${API}/tasks/${id}`, { headers: HEADERS })
  passTime(1_000)
  await expect(wait.end(failed('no result').task)).rejects.toThrow("Remove `timers: 'real'`, or advance")
})

test('the error of another test is left alone', async ({ sim }) => {
  const waits = Array.from({ length: 4 }, () => new RealTimeWait(sim, false))
  const { task, errors } = failed()
  passTime(5_000)
  // Nothing is due.
  await waits[0]?.end(task)
  await create()
  // The client did not poll.
  await waits[1]?.end(failed('no result').task)
  await waits[2]?.end({ result: { state: 'pass' } } as RunnerTestCase)
  await sim.clock.advance('1s')
  // The clock has just moved.
  await waits[3]?.end(task)
  expect(errors[0]?.message).toMatch(/^Test timed out in 5000ms/)
})

deepTest('Vitest prints the sentence instead of its own', async () => {
  const [library, vitest] = ['src/vitest/index.ts', 'node_modules/vitest/vitest.mjs'].map((path) =>
    join(import.meta.dirname, '../..', path),
  )
  const folder = folderWith({
    'a.test.mjs': `
      import { simTest } from ${JSON.stringify(library)}
      simTest()('waits', async ({ sim }) => {
        const body = '{"model": "m", "input": {}}'
        await fetch('${API}/tasks', { method: 'POST', headers: ${JSON.stringify(HEADERS)}, body })
        await new Promise((resolve) => sim.on('task.finished', resolve))
      })`,
  })
  const args = [String(vitest), 'run', '--root', folder, '--no-color']
  const running = promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '../..') })
  await expect(running).rejects.toMatchObject({
    stdout: expect.stringContaining('1 failed'),
    stderr: expect.stringMatching(/^(?!.*timed out in).*The test waits in real time/s),
  })
})
