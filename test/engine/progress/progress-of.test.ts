import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instantOf, isReached, progressOf } from '../../../src/engine/progress/progress-of.js'
import { end, start } from '../../../src/engine/tasks/lifecycle.js'
import { create, liveOf, simulate } from '../../support/simulations.js'
import { aTask } from '../../support/tasks.js'

const outcome = fc.constantFrom(...(['succeeded', 'failed', 'canceled', 'stuck'] as const))
const span = fc.nat(20_000)

/** A queued task that starts after a while, seen several times. */
const life = fc.record({
  id: fc.nat(50).map((number) => `task_${number}`),
  outcome,
  after: span,
  wait: span,
  steps: fc.array(span, { minLength: 1, maxLength: 20 }),
})

test('progress starts at 0, never decreases, and is below 1 until a success', () => {
  fc.assert(
    fc.property(life, fc.boolean(), ({ id, outcome, after, wait, steps }, isCanceled) => {
      const queued = aTask({ id, status: 'queued', startedAt: undefined, plan: { outcome, end: { after } } })
      expect(progressOf(queued, { now: 1_000_000 })).toBe(0)
      const task = start(queued, wait) ?? queued
      let [now, before] = [wait, progressOf(task, { now: wait })]
      expect(before).toBe(0)
      for (const passed of steps) {
        now += passed
        const progress = progressOf(task, { now })
        expect(progress).toBeGreaterThanOrEqual(before)
        expect(progress).toBeLessThan(1)
        before = progress
      }
      const canceled = isCanceled || outcome !== 'succeeded'
      const ended = canceled
        ? end(task, { status: 'canceled' }, now)
        : end(task, { status: 'succeeded', result: { files: 1, output: undefined }, cost: 0 }, now)
      expect(progressOf(ended ?? task, { now: now + 5_000 })).toBe(canceled ? before : 1)
    }),
  )
})

test('a task has half of its progress after half of its time, and a failing one less', () => {
  expect(progressOf(aTask(), { now: 500 })).toBe(0.5)
  const failing = progressOf(aTask({ plan: { outcome: 'failed' } }), { now: 500 })
  expect(failing).toBeGreaterThan(0.05)
  expect(failing).toBeLessThan(0.5)
})

test('a stuck task approaches 1', () => {
  const stuck = aTask({ plan: { outcome: 'stuck' } })
  expect(progressOf(stuck, { now: 1_000 })).toBeGreaterThan(0.99)
  const late = progressOf(stuck, { now: 1e12 })
  expect(late).toBeGreaterThan(0.9999)
  expect(late).toBeLessThan(1)
})

test('a progress is reached at its instant, and not before', () => {
  fc.assert(
    fc.property(
      life,
      fc.double({ min: 0.001, max: 0.98, noNaN: true }),
      ({ id, outcome, after }, progress) => {
        const task = aTask({ id, startedAt: 5, plan: { outcome, end: { after } } })
        const at = instantOf(task, progress)
        if (at === undefined) {
          expect(isReached(progress, progressOf(task, { now: 1e12 }))).toBe(false)
          return
        }
        expect(isReached(progress, progressOf(task, { now: at }))).toBe(true)
        expect(isReached(progress, progressOf(task, { now: at - 1 }))).toBe(false)
      },
    ),
  )
})

test('each poll of a task that ends at a poll is a step, and a stuck one goes on below 1', async () => {
  const rules = [{ when: { input: { fate: 'stuck' } }, then: { outcome: 'stuck' as const } }]
  const sim = simulate({ scenario: { defaults: { delay: { polls: 4 } }, rules } })
  const progressAfterPolls = async (id: string, polls: number) => {
    for (let poll = 0; poll < polls; poll++) {
      const task = await sim.tasks.get(id)
      if (task !== undefined) await sim.tasks.poll(task)
    }
    const task = await sim.tasks.get(id)
    return task && liveOf(sim).progress.of(task)
  }
  const { id } = await create(sim)
  expect(await progressAfterPolls(id, 1)).toBe(0.25)
  expect(await progressAfterPolls(id, 2)).toBe(0.75)
  expect(await progressAfterPolls(id, 1)).toBe(1)
  const canceled = await create(sim)
  await progressAfterPolls(canceled.id, 2)
  await sim.tasks.cancel(canceled.id)
  expect(await progressAfterPolls(canceled.id, 0)).toBe(0.5)
  const stuck = await create(sim, { input: { fate: 'stuck' } })
  const late = await progressAfterPolls(stuck.id, 10)
  expect(late).toBeGreaterThan(0.99)
  expect(late).toBeLessThan(1)
})
