import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import { learn } from '../../../src/record/learn/learn.js'
import { fifoStarts } from '../../../src/record/learn/limits/fifo-starts.js'
import { flowOf } from '../../../src/record/learn/limits/flow.js'
import { ModelHistory } from '../../../src/record/learn/model-history.js'
import { entropyOf } from '../../../src/record/statistics/entropy.js'
import { rankTest } from '../../../src/record/statistics/rank-test.js'
import { tasksIn } from '../played-history.js'

const TASK = { dialect: 'tasks', model: 'acme/video-1', status: 'succeeded' } as const

/** Plays a queue: each task has a gap to the one before it and a processing time. */
function played(running: number, tasks: readonly (readonly [gap: number, span: number])[]) {
  let created = 0
  let previous = 0
  const ends: number[] = []
  return tasks.map(([gap, span], index) => {
    created += gap
    const open = [...ends].sort((a, b) => b - a)
    const start = Math.max(created, previous, open[running - 1] ?? 0)
    previous = start
    ends.push(start + span)
    return { ...TASK, id: `${index}`, createdAt: created, start, endedAt: start + span }
  })
}

const times = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 200 })), {
  maxLength: 40,
})

it('follows the start of each task from the creations, the ends and the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), times, (running, orders) => {
      const tasks = played(running, orders)
      const history = new ModelHistory('acme/video-1', 'video')
      for (const task of tasks) history.add(task)
      expect([...fifoStarts(flowOf([history]), running)]).toEqual(tasks.map(({ start }) => start))
    }),
  )
})

it('learns queueing apart from processing, and the limit, if the history shows starts', async () => {
  const random = Chance.of('starts').stream('starts')
  const orders = Array.from({ length: 400 }, () => [random.int(9_000), 4_000 + random.int(6_000)] as const)
  const limited = played(2, orders).map(({ start, ...task }) => ({ ...task, startedAt: start }))
  const { limits, models } = await learn(stream(limited))
  expect(limits).toMatchObject([{ scope: 'models', name: 'acme/video-1', running: 2 }])
  expect(models[0]?.queueing).toBeUndefined()
  const delayed = limited.map((task) => ({
    ...task,
    startedAt: task.createdAt + 500,
    endedAt: task.createdAt + 9_500,
  }))
  const other = await learn(stream(delayed))
  expect(other.limits).toEqual([])
  expect(other.models[0]).toMatchObject({ queueing: { spread: 500 }, delay: { spread: 9_000 } })
})

async function* stream<Value>(values: readonly Value[]) {
  yield* values
}

it('ignores tasks that were canceled while they were queued', () => {
  const history = new ModelHistory('acme/video-1', 'video')
  history.add({ ...TASK, id: '1', createdAt: 0, endedAt: 100 })
  history.add({ ...TASK, id: '2', status: 'canceled', createdAt: 10, endedAt: 50 })
  history.add({ ...TASK, id: '3', createdAt: 20, endedAt: 130 })
  expect([...fifoStarts(flowOf([history]), 1)]).toEqual([0, Number.NaN, 100])
})

it('finds a limit in a history with times in whole seconds', async () => {
  const random = Chance.of('seconds').stream('seconds')
  const orders = Array.from({ length: 600 }, () => [random.int(14_000), 15_000 + random.int(15_000)] as const)
  const lines = played(3, orders).map(({ start: _, createdAt, endedAt, ...task }) => {
    const time = (at: number) => new Date(1_000 * Math.floor(at / 1_000)).toISOString()
    return `${JSON.stringify({ ...task, created_at: time(createdAt), completed_at: time(endedAt) })}\n`
  })
  const { limits } = await learn(tasksIn(stream(lines)))
  expect(limits).toMatchObject([{ running: 3 }])
})

it('knows the entropy of a uniform distribution, and the result of a rank test by hand', () => {
  const values = Float64Array.from({ length: 10_000 }, (_, index) => index)
  expect(entropyOf(values, 1)).toBeCloseTo(Math.log(10_000), 1)
  // In one of 25 pairs, the first value is larger: U = 1, and z = (U - 12.5) / sqrt(25 * 11 / 12).
  const pair = { one: [3, 4, 2, 6, 2.5], other: [9, 7, 5, 10, 8] }
  expect(rankTest([pair])).toBeCloseTo((1 - 12.5) / Math.sqrt((25 * 11) / 12), 6)
})
