import { expect, it } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import type { ObservedTask } from '../../../src/record/history/observed-task.js'
import { learn } from '../../../src/record/learn/learn.js'
import { piecesOf } from '../histories.js'

const TASK = { dialect: 'tasks', model: 'acme/video-1', status: 'succeeded' } as const

type Orders = readonly (readonly [gap: number, span: number])[]

/** Plays a queue: each task has a gap to the one before it and a processing time. */
function played(
  running: number,
  orders: Orders,
  unit = 1,
): (ObservedTask & { readonly startedAt: number })[] {
  let [created, previous] = [0, 0]
  const ends: number[] = []
  return orders.map(([gap, span], index) => {
    created += gap
    const open = [...ends].sort((a, b) => b - a)
    previous = Math.max(created, previous, open[running - 1] ?? 0)
    ends.push(previous + span)
    const [createdAt, startedAt, endedAt] = [created, previous, previous + span].map(
      (time) => unit * Math.floor(time / unit),
    ) as [number, number, number]
    return { ...TASK, id: `${index}`, createdAt, startedAt, endedAt }
  })
}

const random = Chance.of('starts').stream('starts')
const ORDERS: Orders = Array.from({ length: 400 }, () => [random.int(9_000), 4_000 + random.int(6_000)])

it.each([1, 1_000])('a limit is found in starts that are rounded to %d ms', async (unit) => {
  const { limits, models, gaps } = await learn(piecesOf(...played(2, ORDERS, unit)))
  expect(limits).toMatchObject([{ scope: 'models', name: 'acme/video-1', running: 2 }])
  expect(models[0]?.queueing).toBeUndefined()
  expect(gaps).toEqual([])
})

it('queueing that no limit explains is learned apart from processing', async () => {
  const delayed = played(2, ORDERS).map((task) => ({
    ...task,
    startedAt: task.createdAt + 500,
    endedAt: task.createdAt + 9_500,
  }))
  const { limits, models } = await learn(piecesOf(...delayed))
  expect(limits).toEqual([])
  expect(models[0]).toMatchObject({ queueing: { spread: 500 }, delay: { spread: 9_000 } })
})

it('without starts, delays include the queue, and the result says so', async () => {
  const hidden = played(2, ORDERS).map(({ startedAt: _, ...task }) => task)
  const { limits, models, gaps } = await learn(piecesOf(...hidden))
  expect(limits).toEqual([])
  expect(models[0]?.queueing).toBeUndefined()
  expect(gaps).toEqual([expect.stringContaining('the history does not show when tasks started')])
})

it('tasks that were canceled while they were queued change no limit', async () => {
  const limited = played(2, ORDERS)
  const canceled = limited.map(({ startedAt: _, ...task }) => ({
    ...task,
    status: 'canceled' as const,
    endedAt: task.createdAt + 5,
  }))
  const { limits } = await learn(piecesOf<ObservedTask>(...limited, ...canceled))
  expect(limits).toMatchObject([{ running: 2 }])
})
