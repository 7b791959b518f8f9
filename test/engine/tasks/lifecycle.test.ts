import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Ending, end, start } from '../../../src/engine/tasks/lifecycle.js'
import { isTerminal, STATUSES } from '../../../src/engine/tasks/task.js'
import { aTask } from '../../support/tasks.js'

const result = { files: 1, output: undefined }
const error = { code: 'timeout', message: 'It took too long.' }
const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.record({ status: fc.constant('succeeded' as const), result: fc.constant(result), cost: fc.nat() }),
  fc.constant({ status: 'failed' as const, error }),
  fc.constant({ status: 'canceled' as const }),
)

test('only the first end of a task counts, and only a success has a result and a cost', () => {
  fc.assert(
    fc.property(fc.array(ending, { minLength: 1, maxLength: 6 }), (endings) => {
      let task = aTask()
      for (const [at, next] of endings.entries()) task = end(task, next, at + 1) ?? task
      const [first] = endings
      expect(task.status).toBe(first?.status)
      expect(task.completedAt).toBe(1)
      expect(task.cost).toBe(first?.status === 'succeeded' ? first.cost : 0)
      expect(task.result).toBe(first?.status === 'succeeded' ? result : undefined)
      expect(task.error).toBe(first?.status === 'failed' ? error : undefined)
    }),
  )
})

test('an end does not change the old value of the task', () => {
  const task = Object.freeze(aTask())
  expect(end(task, { status: 'canceled' }, 5)).toEqual({
    ...aTask(),
    status: 'canceled',
    completedAt: 5,
    cost: 0,
  })
})

test('a queued task can also end', () => {
  expect(end(aTask({ status: 'queued' }), { status: 'canceled' }, 5)?.status).toBe('canceled')
})

test('only a queued task can start, and it records the time', () => {
  expect(start(aTask({ status: 'queued', startedAt: undefined }), 5)).toMatchObject({
    status: 'processing',
    startedAt: 5,
  })
  for (const status of STATUSES.filter((other) => other !== 'queued'))
    expect(start(aTask({ status }), 5)).toBeUndefined()
})

test('succeeded, failed and canceled are final states', () => {
  expect(STATUSES.filter(isTerminal)).toEqual(['succeeded', 'failed', 'canceled'])
})
