import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PoolLimits } from '../../../src/engine/scenario/scenario.js'
import { Capacity } from '../../../src/engine/tasks/capacity.js'
import type { Applicant } from '../../../src/engine/tasks/capacity-limits.js'

const LIMITS: PoolLimits = {
  running: 4,
  queued: 6,
  kinds: { video: { running: 2 } },
  keys: { sk_one: { running: 1, queued: 2 } },
}
const anImage: Applicant = { kind: 'image', model: 'acme/a', owner: 'sk_two' }
const aVideo: Applicant = { ...anImage, kind: 'video' }

/** Tracks tasks independently, to compare them with the capacity. */
function trackedCapacity(limits: PoolLimits) {
  const capacity = new Capacity(limits)
  const running: string[] = []
  const queued: string[] = []
  const applicants = new Map<string, Applicant>()
  const move = (id: string, to: string[]) => {
    for (const list of [running, queued]) if (list.includes(id)) list.splice(list.indexOf(id), 1)
    to.push(id)
  }
  return {
    capacity,
    running,
    queued,
    add(id: string, applicant: Applicant): 'running' | 'queued' | 'refused' {
      const claim = capacity.claim(applicant)
      if (claim.isRefused) return 'refused'
      applicants.set(id, applicant)
      capacity.enter(id, applicant, claim)
      move(id, claim.hasSlot ? running : queued)
      return claim.hasSlot ? 'running' : 'queued'
    },
    /** @returns the tasks that start because of it */
    remove(id: string): string[] {
      capacity.leave(id)
      move(id, [])
      const started = capacity.fill()
      for (const next of started) move(next, running)
      return started
    },
    count: (list: readonly string[], belongs: (applicant: Applicant) => boolean) =>
      list.filter((id) => belongs(applicants.get(id) ?? anImage)).length,
  }
}

const applicant = fc.record({
  kind: fc.constantFrom('image' as const, 'video' as const),
  model: fc.constant('acme/a'),
  owner: fc.constantFrom('sk_one', 'sk_two'),
})
const step = fc.oneof(applicant, fc.nat(100))

test('a claim keeps nothing, so that refused tasks of many API keys take no memory', () => {
  const capacity = new Capacity({ keys: { '*': { running: 1 } } })
  const poolOf = () => capacity.claim(anImage).line.pools[0]
  expect(poolOf()).not.toBe(poolOf())
  capacity.enter('task', anImage, capacity.claim(anImage))
  expect(poolOf()).toMatchObject({ running: 1 })
})

test('no limit is ever exceeded, and no task waits while a place is free', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { capacity: _, running, queued, add, remove, count } = trackedCapacity(LIMITS)
      for (const [index, next] of steps.entries()) {
        const inside = [...running, ...queued]
        const leaving = typeof next === 'number' ? inside[next % (inside.length || 1)] : undefined
        if (typeof next !== 'number') add(`task_${index}`, next)
        else if (leaving !== undefined) remove(leaving)
        const isVideo = ({ kind }: Applicant) => kind === 'video'
        const isOne = ({ owner }: Applicant) => owner === 'sk_one'
        expect(running.length).toBeLessThanOrEqual(4)
        expect(queued.length).toBeLessThanOrEqual(6)
        expect(count(running, isVideo)).toBeLessThanOrEqual(2)
        expect(count(running, isOne)).toBeLessThanOrEqual(1)
        expect(count(queued, isOne)).toBeLessThanOrEqual(2)
        const couldRun = (candidate: Applicant) =>
          running.length < 4 &&
          (!isVideo(candidate) || count(running, isVideo) < 2) &&
          (!isOne(candidate) || count(running, isOne) < 1)
        expect(count(queued, couldRun)).toBe(0)
      }
    }),
  )
})

test('tasks start in the order of arrival, without those that were canceled', () => {
  const { add, remove } = trackedCapacity({ running: 1 })
  expect(['a', 'b', 'c', 'd'].map((id) => add(id, anImage))).toEqual([
    'running',
    'queued',
    'queued',
    'queued',
  ])
  expect(remove('b')).toEqual([])
  expect(remove('a')).toEqual(['c'])
  expect(remove('c')).toEqual(['d'])
})

test('a task that waits for another pool delays no other task', () => {
  const { add } = trackedCapacity({ kinds: { video: { running: 1 } } })
  expect([add('a', aVideo), add('b', aVideo), add('c', anImage)]).toEqual(['running', 'queued', 'running'])
})

test('a task is rejected while the queue is full', () => {
  const { add, remove } = trackedCapacity({ running: 1, queued: 1 })
  expect(['a', 'b', 'c'].map((id) => add(id, anImage))).toEqual(['running', 'queued', 'refused'])
  remove('b')
  expect(add('d', anImage)).toBe('queued')
})

test('each key that matches a pattern has separate places', () => {
  const { add } = trackedCapacity({ keys: { 'sk_*': { running: 1 } } })
  const [one, two] = ['sk_one', 'sk_two'].map((owner) => ({ ...anImage, owner }))
  if (one === undefined || two === undefined) throw new Error('Expected two')
  expect([add('a', one), add('b', one), add('c', two)]).toEqual(['running', 'queued', 'running'])
})

test('a higher limit admits waiting tasks, a lower one removes none', () => {
  const { capacity, add } = trackedCapacity({ running: 2 })
  for (const id of ['a', 'b', 'c', 'd']) add(id, anImage)
  capacity.configure({ running: 3 }, [])
  expect(capacity.fill()).toEqual(['c'])
  capacity.configure({ running: 1 }, [])
  capacity.leave('a')
  expect(capacity.fill()).toEqual([])
})

test('tasks that began to run without limits take places under later limits', () => {
  const { capacity, add } = trackedCapacity({})
  expect(['a', 'b'].map((id) => add(id, anImage))).toEqual(['running', 'running'])
  capacity.configure(
    { running: 2 },
    ['a', 'b'].map((id) => ({ id, ...anImage })),
  )
  expect(add('c', anImage)).toBe('queued')
  capacity.leave('a')
  expect(capacity.fill()).toEqual(['c'])
})

test('a position counts the waiting tasks before it that need one of its slots', () => {
  const { capacity, add, remove } = trackedCapacity({
    running: 1,
    models: { 'acme/b': { running: 1 } },
  })
  const other = { ...anImage, model: 'acme/b' }
  const tasks: [string, Applicant][] = [
    ['a', anImage],
    ['b', other],
    ['c', anImage],
    ['d', other],
    ['e', anImage],
  ]
  for (const [id, applicant] of tasks) add(id, applicant)
  const positions = () => tasks.map(([id]) => capacity.positionOf(id))
  expect(positions()).toEqual([undefined, 0, 1, 2, 3])
  remove('c')
  expect(positions()).toEqual([undefined, 0, undefined, 1, 2])
  expect(remove('a')).toEqual(['b'])
  expect(positions()).toEqual([undefined, undefined, undefined, 0, 1])
})

test('tasks that need other places do not count in a position', () => {
  const { capacity, add } = trackedCapacity({ keys: { 'sk_*': { running: 1 } } })
  for (const id of ['a', 'b', 'c']) add(id, { ...anImage, owner: 'sk_one' })
  for (const id of ['d', 'e']) add(id, anImage)
  expect(['c', 'e'].map((id) => capacity.positionOf(id))).toEqual([1, 0])
})
