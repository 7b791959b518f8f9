import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answer } from '../../../src/hosts/api.js'
import { createSimulator, type Simulator } from '../../../src/index.js'
import { runs } from '../../support/deep.js'
import { create } from '../../support/simulations.js'

const NOON = Date.parse('2026-05-01T12:00:00Z')
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR
const YEAR = 365 * DAY
const HOOK = 'http://receiver.test/hook'

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Sets the wall clock of the machine, as NTP, a person or the end of a sleep does. Timers are not affected. */
const setWallClock = (shift: number) => vi.setSystemTime(Date.now() + shift)

/** Creates a simulator in real time whose receiver rejects each event twice, with a log of all events. */
function world() {
  const attempts = new Map<string, number>()
  const finished: [id: string, at: number][] = []
  const attemptLog: { id: string; number: number; at: number; retryAt: number | undefined }[] = []
  const errors: unknown[] = []
  const sim = createSimulator({
    scenario: { defaults: { delay: { min: '1s', max: '60s' } } },
    transport: async ({ body }) => {
      const { id } = JSON.parse(new TextDecoder().decode(body)).task
      attempts.set(id, (attempts.get(id) ?? 0) + 1)
      return { status: attempts.get(id) === 3 ? 200 : 500 }
    },
  })
  sim.on('task.finished', ({ id }, at) => finished.push([id, at]))
  sim.on('delivery.attempted', ({ taskId }, { number, startedAt, retryAt }) =>
    attemptLog.push({ id: taskId, number, at: startedAt, retryAt }),
  )
  sim.on('error', (error) => errors.push(error))
  return { sim, attempts, finished, attemptLog, errors }
}

async function fill(sim: Simulator, count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index++)
    await create(sim, { input: { index }, webhookUrl: HOOK, owner: 'sk_one' })
}

/** Checks the final state, which is the same for any jump of the wall clock. */
async function expectAllDeliveredOnce({
  sim,
  attempts,
  finished,
  attemptLog,
  errors,
}: ReturnType<typeof world>) {
  const page = await sim.tasks.list({ owner: 'sk_one', limit: 1_000 })
  const tasks = page?.tasks ?? []
  expect(errors).toEqual([])
  expect(finished.map(([id]) => id).sort()).toEqual(tasks.map(({ id }) => id).sort())
  for (const { id, createdAt, completedAt = 0, plan } of tasks) {
    expect(attempts.get(id)).toBe(3)
    expect(completedAt - createdAt).toBe('after' in plan.end ? plan.end.after : undefined)
  }
  for (const { id, number, at } of attemptLog.filter(({ number }) => number > 1)) {
    const before = attemptLog.find((attempt) => attempt.id === id && attempt.number === number - 1)
    expect(at).toBeGreaterThanOrEqual(before?.retryAt ?? Number.POSITIVE_INFINITY)
  }
}

/** Checks that due events happened in the order of their instants. */
function expectInOrder(instants: readonly number[]) {
  expect(instants).toEqual([...instants].sort((a, b) => a - b))
}

test.each([
  ['set back an hour', -HOUR],
  ['set back a year', -YEAR],
  ['set forward a year', YEAR],
  ['late by hours after a sleep of the machine', 8 * HOUR],
])('a wall clock that is %s loses no event, and repeats none', async (_, shift) => {
  const chaos = world()
  await fill(chaos.sim, 30)
  await vi.advanceTimersByTimeAsync(20 * SECOND)
  const before = chaos.sim.clock.now()
  setWallClock(shift)
  expect(chaos.sim.clock.now()).toBe(before + Math.max(0, shift))
  await vi.advanceTimersByTimeAsync(HOUR)
  await expectAllDeliveredOnce(chaos)
  expectInOrder(chaos.finished.map(([, at]) => at))
})

test('after the machine sleeps, the first request sees every due event as done', async () => {
  const { sim, finished } = world()
  await fill(sim, 30)
  setWallClock(8 * HOUR)
  await sim.time.schedule.catchUp()
  expect(finished).toHaveLength(30)
  expectInOrder(finished.map(([, at]) => at))
})

test('a wall clock that is set back delays no task', async () => {
  const { sim, finished } = world()
  await fill(sim, 30)
  setWallClock(-YEAR)
  await fill(sim, 30, 30)
  await vi.advanceTimersByTimeAsync(61 * SECOND)
  expect(finished).toHaveLength(60)
})

test('after the machine sleeps, a new task ends on time without any request', async () => {
  const sim = createSimulator({
    scenario: { rules: [{ when: { input: { slow: true } }, then: { delay: '1h' } }] },
  })
  const finished = vi.fn()
  sim.on('task.finished', finished)
  await create(sim, { input: { slow: true } })
  setWallClock(8 * HOUR)
  await sim.time.schedule.catchUp()
  await create(sim)
  await vi.advanceTimersByTimeAsync(5 * SECOND)
  expect(finished).toHaveBeenCalledTimes(2)
})

test('a task created while the machine slept does not start before its creation', async () => {
  const sim = createSimulator({ scenario: { capacity: { running: 1 }, defaults: { delay: '2s' } } })
  const onStarted = vi.fn()
  sim.on('task.started', ({ id }, at) => onStarted(id, at))
  await create(sim, { input: { first: true } })
  const body = async () => {
    setWallClock(8 * HOUR)
    return new TextEncoder().encode('{"model":"acme/image-1","input":{}}')
  }
  const headers: Record<string, string> = {
    authorization: 'Bearer sk_one',
    'content-type': 'application/json',
  }
  const header = (name: string) => headers[name]
  const reply = await answer(sim, { method: 'POST', path: '/v1/tasks', query: '', origin: '', header, body })
  await vi.advanceTimersByTimeAsync(HOUR)
  const task = await sim.tasks.get(JSON.parse(String(reply.body)).id)
  expect(task?.status).toBe('succeeded')
  expect(task?.startedAt).toBe(task?.createdAt)
  expect(onStarted.mock.calls).toEqual([[task?.id, task?.startedAt]])
})

const jump = fc.oneof(fc.integer({ min: -YEAR, max: YEAR }), fc.integer({ min: -90_000, max: 90_000 }))
const turn = fc.record({ jump, pass: fc.nat(40_000), tasks: fc.nat(3) })

test('for any jump of the wall clock, no event is lost or repeated, and time never goes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 25, size: 'max' }), async (turns) => {
      const chaos = world()
      const seen: number[] = []
      for (const [index, { jump, pass, tasks }] of turns.entries()) {
        await fill(chaos.sim, tasks, index * 10)
        setWallClock(jump)
        seen.push(chaos.sim.clock.now())
        await vi.advanceTimersByTimeAsync(pass)
        seen.push(chaos.sim.clock.now())
      }
      await vi.advanceTimersByTimeAsync(2 * YEAR)
      expectInOrder(seen)
      await expectAllDeliveredOnce(chaos)
      chaos.sim.close()
    }),
    { numRuns: runs(5, 60) },
  )
}, 60_000)
