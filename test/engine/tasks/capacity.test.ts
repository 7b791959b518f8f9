import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Applicant, Capacity } from '../../../src/engine/tasks/capacity.js'
import type { CapacitySettings } from '../../../src/scenario/model/capacity.js'

const overflow = { status: 429, retryAfter: 1_000 } as const
const LIMITS: CapacitySettings = {
  running: 4,
  queued: 6,
  kinds: { video: { running: 2 } },
  keys: { sk_one: { running: 1, queued: 2 } },
  overflow,
}
const anImage: Applicant = { kind: 'image', model: 'acme/a', owner: 'sk_two' }
const aVideo: Applicant = { ...anImage, kind: 'video' }

/** Tracks tasks independently, to compare them with the capacity. */
function ward(limits: CapacitySettings) {
  const capacity = new Capacity(limits)
  const running: string[] = []
  const queued: string[] = []
  const who = new Map<string, Applicant>()
  const move = (id: string, to: string[]) => {
    for (const list of [running, queued]) if (list.includes(id)) list.splice(list.indexOf(id), 1)
    to.push(id)
  }
  return {
    capacity,
    running,
    queued,
    come(id: string, applicant: Applicant): 'running' | 'queued' | 'refused' {
      const claim = capacity.claim(applicant)
      if (claim.isRefused) return 'refused'
      who.set(id, applicant)
      const runs = capacity.enter(id, applicant, claim)
      move(id, runs ? running : queued)
      return runs ? 'running' : 'queued'
    },
    /** @returns the tasks that start because of it */
    leave(id: string): string[] {
      capacity.leave(id)
      move(id, [])
      const started = capacity.fill()
      for (const next of started) move(next, running)
      return started
    },
    count: (list: readonly string[], belongs: (applicant: Applicant) => boolean) =>
      list.filter((id) => belongs(who.get(id) ?? anImage)).length,
  }
}

const applicant = fc.record({
  kind: fc.constantFrom('image' as const, 'video' as const),
  model: fc.constant('acme/a'),
  owner: fc.constantFrom('sk_one', 'sk_two'),
})
const step = fc.oneof(applicant, fc.nat(100))

test('no limit is ever exceeded, and no task waits while a place is free', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { capacity: _, running, queued, come, leave, count } = ward(LIMITS)
      for (const [index, next] of steps.entries()) {
        const inside = [...running, ...queued]
        const leaver = typeof next === 'number' ? inside[next % (inside.length || 1)] : undefined
        if (typeof next !== 'number') come(`task_${index}`, next)
        else if (leaver !== undefined) leave(leaver)
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
  const { come, leave } = ward({ running: 1, overflow })
  expect(['a', 'b', 'c', 'd'].map((id) => come(id, anImage))).toEqual([
    'running',
    'queued',
    'queued',
    'queued',
  ])
  expect(leave('b')).toEqual([])
  expect(leave('a')).toEqual(['c'])
  expect(leave('c')).toEqual(['d'])
})

test('a task that waits for another pool delays no other task', () => {
  const { come } = ward({ kinds: { video: { running: 1 } }, overflow })
  expect([come('a', aVideo), come('b', aVideo), come('c', anImage)]).toEqual(['running', 'queued', 'running'])
})

test('a task is rejected while the queue is full', () => {
  const { come, leave } = ward({ running: 1, queued: 1, overflow })
  expect(['a', 'b', 'c'].map((id) => come(id, anImage))).toEqual(['running', 'queued', 'refused'])
  leave('b')
  expect(come('d', anImage)).toBe('queued')
})

test('each key that matches a pattern has separate places', () => {
  const { come } = ward({ keys: { 'sk_*': { running: 1 } }, overflow })
  const [one, two] = ['sk_one', 'sk_two'].map((owner) => ({ ...anImage, owner }))
  if (one === undefined || two === undefined) throw new Error('Expected two')
  expect([come('a', one), come('b', one), come('c', two)]).toEqual(['running', 'queued', 'running'])
})

test('a higher limit admits waiting tasks, a lower one removes none', () => {
  const { capacity, come } = ward({ running: 2, overflow })
  for (const id of ['a', 'b', 'c', 'd']) come(id, anImage)
  capacity.configure({ running: 3, overflow })
  expect(capacity.fill()).toEqual(['c'])
  capacity.configure({ running: 1, overflow })
  capacity.leave('a')
  expect(capacity.fill()).toEqual([])
})
