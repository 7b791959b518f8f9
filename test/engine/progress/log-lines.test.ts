import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logsOf } from '../../../src/engine/progress/log-lines.js'
import { type Ending, end, start } from '../../../src/engine/tasks/lifecycle.js'
import { aTask } from '../../support/tasks.js'

const ENDINGS: readonly Ending[] = [
  { status: 'succeeded', result: { files: 1, output: undefined }, cost: 0 },
  { status: 'failed', error: { code: 'content_policy', message: 'The prompt was rejected.' } },
  { status: 'canceled' },
]
const life = fc.record({
  id: fc.nat(1_000).map((number) => `task_${number}`),
  after: fc.nat(60_000),
  steps: fc.array(fc.nat(10_000), { minLength: 1, maxLength: 20 }),
  ending: fc.constantFrom(...ENDINGS),
  isPolled: fc.boolean(),
})

test('a log only grows, its times never decrease or lie in the future, and its lines never change', () => {
  fc.assert(
    fc.property(life, ({ id, after, steps, ending, isPolled }) => {
      const plan = { outcome: ending.status, end: isPolled ? { polls: 7 } : { after } }
      const queued = aTask({ id, status: 'queued', createdAt: 0, startedAt: undefined, plan })
      expect(logsOf(queued, { now: 50 })).toEqual([])
      const task = start(queued, 100) ?? queued
      let [now, polls] = [100, 0]
      let before = logsOf(task, { now, polls })
      for (const passed of steps) {
        now += passed
        polls += 1
        const lines = logsOf(task, { now, polls })
        expect(lines.slice(0, before.length)).toEqual(before)
        before = lines
      }
      const ended = end(task, ending, now, isPolled ? polls : undefined) ?? task
      const whole = logsOf(ended, { now: now + 1_000 })
      expect(whole.slice(0, before.length).map(({ message }) => message)).toEqual(
        before.map(({ message }) => message),
      )
      const times = whole.map(({ at }) => at)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(whole.at(-1)?.at).toBe(now)
    }),
  )
})

test('a log shows loading, steps up to 100% and the end', () => {
  const succeeded = end(aTask(), ENDINGS[0] as Ending, 1_000) ?? aTask()
  const lines = logsOf(succeeded, { now: 1_000 })
  expect(lines[0]).toEqual({ at: 0, level: 'info', message: 'Loading acme/image-1' })
  expect(lines.at(-2)?.message).toMatch(/^Step (\d+) of \1 \(100%\)$/)
  expect(lines.at(-1)).toEqual({ at: 1_000, level: 'info', message: 'Finished in 1.0 s' })
  expect(logsOf(aTask({ id: 'task_2' }), { now: 990 })).not.toEqual(logsOf(aTask(), { now: 990 }))
})

test('the log of a task does not depend on another task that has the same plan', () => {
  const task = aTask()
  const other = aTask({ id: 'task_2' })
  const withSamePlan = { ...other, plan: task.plan }
  expect(logsOf(task, { now: 990 })).not.toEqual(logsOf(withSamePlan, { now: 990 }))
  expect(logsOf(withSamePlan, { now: 990 })).toEqual(logsOf(other, { now: 990 }))
})

test('a failing task logs some steps and its error, and a task that is canceled in the queue only that', () => {
  const failing = aTask({ plan: { outcome: 'failed' } })
  const failed = end(failing, ENDINGS[1] as Ending, 1_000) ?? failing
  const lines = logsOf(failed, { now: 1_000 })
  expect(lines.at(-1)).toEqual({
    at: 1_000,
    level: 'error',
    message: 'content_policy: The prompt was rejected.',
  })
  expect(lines.map(({ message }) => message).join()).not.toContain('(100%)')
  const queued = aTask({ status: 'queued', startedAt: undefined })
  const canceled = end(queued, { status: 'canceled' }, 300) ?? queued
  expect(logsOf(canceled, { now: 500 })).toEqual([{ at: 300, level: 'warning', message: 'Canceled' }])
})
