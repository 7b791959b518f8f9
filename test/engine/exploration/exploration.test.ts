import { describe, expect, test } from 'vitest'
import { Exploration, MOST_PLACES } from '../../../src/engine/exploration/exploration.js'
import type { Visit } from '../../../src/engine/exploration/visit.js'
import type { JsonObject } from '../../../src/engine/json.js'
import type { Task } from '../../../src/engine/tasks/task.js'

const clock = { now: () => 0 }
const create = (exploration: Exploration, input: JsonObject) =>
  exploration.visit({ operation: 'tasks.create', dialect: 'tasks', order: { model: 'm', input } })

test('a run has at most 2,000 places, and a later request is at none of them', () => {
  const exploration = new Exploration({ clock })
  for (let number = 1; number <= MOST_PLACES + 5; number++) create(exploration, { number })
  expect(exploration.places).toHaveLength(MOST_PLACES)
  expect(exploration.orders).toHaveLength(MOST_PLACES)
  const ids = exploration.places.map(({ id }) => id)
  expect(ids).toContain(`tasks.create#${MOST_PLACES}`)
  expect(ids).not.toContain(create(exploration, { number: 0 }).place)
})

test('what a run remembers of a large input is short', () => {
  const exploration = new Exploration({ clock })
  create(exploration, { image: 'x'.repeat(1_000_000) })
  create(exploration, { image: 'y'.repeat(1_000_000) })
  expect(exploration.orders.map((order) => order.length).every((length) => length < 100)).toBe(true)
  expect(new Set(exploration.orders).size).toBe(2)
})

describe('a fault that lasts', () => {
  const rejecting = (place: string, repeats?: 'always') =>
    new Exploration({
      clock,
      deviations: [{ id: 'rejection', place, fault: { status: 400 }, repeats }],
    })
  const isRejected = ({ deviation }: Visit) => deviation?.fault.status === 400

  test('applies to each repetition of an order, and to no other order', () => {
    const exploration = rejecting('tasks.create#1', 'always')
    const rejected = ['waves', 'waves', 'sea', 'waves'].map((prompt) =>
      isRejected(create(exploration, { prompt })),
    )
    expect(rejected).toEqual([true, true, false, true])
  })

  test('applies to each later request of its operation on its task, whatever it shows', () => {
    const exploration = rejecting('tasks.retrieve#1.processing', 'always')
    const [task, other] = ['1', '2'].map(
      (id) => ({ id, dialect: 'tasks', model: 'm', input: { id } }) as never as Task,
    )
    if (task === undefined || other === undefined) throw new Error('There is no task.')
    exploration.addTask({ ...task, status: 'processing' })
    const poll = (of: Task, status: Task['status']) =>
      isRejected(
        exploration.visit({ operation: 'tasks.retrieve', dialect: 'tasks', task: { ...of, status } }),
      )
    expect([poll(task, 'processing'), poll(other, 'processing'), poll(task, 'succeeded')]).toEqual([
      true,
      false,
      true,
    ])
  })

  test('because a URL has expired ends once the task is retrieved, but not with a poll that fails', () => {
    const exploration = new Exploration({
      clock,
      deviations: [
        { id: 'expired', place: 'file#1.0', fault: { status: 403 }, repeats: 'until_renewed' },
        { id: 'poll', place: 'tasks.retrieve#1.succeeded', fault: { status: 503 } },
      ],
    })
    const task = { id: '1', dialect: 'tasks', model: 'm', input: {}, status: 'succeeded' } as never as Task
    exploration.addTask(task)
    const statusOf = (operation: 'tasks.retrieve' | 'files.download', file?: number) =>
      exploration.visit({ operation, dialect: 'tasks', task, file }).deviation?.fault.status
    expect([statusOf('files.download', 0), statusOf('files.download', 0)]).toEqual([403, 403])
    expect(statusOf('files.download', 1)).toBeUndefined()
    expect([statusOf('tasks.retrieve'), statusOf('files.download', 0)]).toEqual([503, 403])
    expect([statusOf('tasks.retrieve'), statusOf('files.download', 0)]).toEqual([undefined, undefined])
  })

  test('that does not last applies once', () => {
    const exploration = rejecting('tasks.create#1')
    const rejected = [1, 2].map(() => isRejected(create(exploration, { prompt: 'waves' })))
    expect(rejected).toEqual([true, false])
  })
})
