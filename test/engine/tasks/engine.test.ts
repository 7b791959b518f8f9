import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/index.js'
import { create, simulate } from '../../support/simulations.js'

test('a task is processing until its delay has passed, and ends at that instant', async () => {
  const sim = simulate()
  const { id, status } = await create(sim)
  expect([id, status]).toEqual([expect.stringMatching(/^task_[0-9A-Za-z]{24}$/), 'processing'])
  await sim.clock.advance('999ms')
  expect((await sim.tasks.get(id))?.status).toBe('processing')
  await sim.clock.advance('1h')
  expect(await sim.tasks.get(id)).toMatchObject({ status: 'succeeded', completedAt: 1_000 })
})

test('a canceled task stays canceled at its planned end', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  await sim.clock.advance('500ms')
  expect(await sim.tasks.cancel(id)).toMatchObject({ status: 'canceled', completedAt: 500, cost: 0 })
  await sim.clock.advance('1h')
  expect(await sim.tasks.get(id)).toMatchObject({ status: 'canceled', completedAt: 500 })
  expect(await sim.tasks.cancel(id)).toBeUndefined()
})

test('a task that is finished ends before the clock moves, even if its result is still being produced', async () => {
  const sim = simulate({ scenario: { defaults: { delay: '1h' } } })
  const { id } = await create(sim, {
    model: 'acme/llm-1',
    input: { messages: [{ role: 'user', content: 'Hi' }] },
  })
  const finished = sim.tasks.finish(id)
  await sim.clock.advance('2h')
  expect(await finished).toMatchObject({ status: 'succeeded', completedAt: 0 })
})

test('a task that has succeeded cannot be canceled', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  await sim.clock.advance('1s')
  expect(await sim.tasks.cancel(id)).toBeUndefined()
  expect((await sim.tasks.get(id))?.status).toBe('succeeded')
})

test('a task is queued for its queueing time, and its delay counts from its start', async () => {
  const sim = simulate({ scenario: { defaults: { queueing: '2s', delay: '1s' } } })
  const started: number[] = []
  sim.on('task.started', (_, at) => started.push(at))
  const { id, status } = await create(sim)
  expect([status, await sim.tasks.positionOf(id)]).toEqual(['queued', 0])
  await sim.clock.advance('1h')
  expect(await sim.tasks.get(id)).toMatchObject({ status: 'succeeded', startedAt: 2_000, completedAt: 3_000 })
  expect(started).toEqual([2_000])
})

test('a task that a listener cancels at its creation is not scheduled', async () => {
  const sim = simulate({ scenario: { defaults: { queueing: '2s', delay: '1s' } } })
  const events: string[] = []
  sim.on('task.created', ({ id }) => sim.tasks.cancel(id))
  sim.events.on('task.scheduled', () => events.push('placed'))
  const { id } = await create(sim)
  expect(sim.tasks.get(id)?.status).toBe('canceled')
  expect(sim.clock.next).toBeUndefined()
  expect(events).toEqual([])
})

test('a queueing task takes a place in the capacity, and its time counts from there', async () => {
  const sim = simulate({ scenario: { defaults: { queueing: '2s', delay: '1s' }, capacity: { running: 1 } } })
  const [first, second] = [await create(sim), await create(sim)]
  await sim.clock.advance('1h')
  expect((await sim.tasks.get(first.id))?.completedAt).toBe(3_000)
  expect(await sim.tasks.get(second.id)).toMatchObject({ startedAt: 5_000, completedAt: 6_000 })
})

test('a task that is canceled while it is queued never starts, and leaves nothing to do', async () => {
  const sim = simulate({ scenario: { defaults: { queueing: '2s', delay: '1s' } } })
  const { id } = await create(sim)
  expect(await sim.tasks.cancel(id)).toMatchObject({
    status: 'canceled',
    completedAt: 0,
    startedAt: undefined,
  })
  expect(sim.clock.next).toBeUndefined()
})

test('a stuck task schedules nothing, and can be canceled', async () => {
  const sim = simulate({ scenario: 'stuck' })
  const { id } = await create(sim)
  await sim.clock.runUntilIdle()
  expect((await sim.tasks.get(id))?.status).toBe('processing')
  expect((await sim.tasks.cancel(id))?.status).toBe('canceled')
})

test('each end is reported once, at its instant, in the order of the ends', async () => {
  const sim = simulate({ scenario: { rules: [{ when: { input: { slow: true } }, then: { delay: '2s' } }] } })
  const log: [id: string, at: number][] = []
  sim.on('task.finished', ({ id }, at) => log.push([id, at]))
  const slow = await create(sim, { input: { slow: true } })
  const ordinary = await create(sim)
  await sim.clock.advance('1h')
  expect(log).toEqual([
    [slow.id, 2_000],
    [ordinary.id, 3_000],
  ])
})

test('a task keeps its plan when the scenario changes, and a later task gets the new plan', async () => {
  const sim = simulate()
  const before = await create(sim)
  sim.useScenario({ ...sim.scenario, defaults: { ...sim.scenario.defaults, delay: 9_000 } })
  const after = await create(sim)
  await sim.clock.advance('1h')
  expect((await sim.tasks.get(before.id))?.completedAt).toBe(1_000)
  expect((await sim.tasks.get(after.id))?.completedAt).toBe(9_000)
})

test('a reset deletes all tasks, and their planned events do not happen', async () => {
  const sim = simulate()
  const finished: string[] = []
  sim.on('task.finished', ({ id }) => finished.push(id))
  const { id } = await create(sim)
  await sim.reset()
  await sim.clock.advance('1h')
  expect([await sim.tasks.get(id), finished]).toEqual([undefined, []])
})

test('a task that was about to end at a reset does not end a later task with the same id', async () => {
  const sim = simulate({ scenario: { kinds: { llm: { delay: '1s' } } } })
  const request = { model: 'acme/composer-2.5', input: { messages: [] } }
  await create(sim, request)
  const advance = sim.clock.advance('1s')
  // The end of an LLM task takes a while: its reply is being written at the reset.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  await sim.reset()
  const namesake = await create(sim, request)
  await advance
  expect((await sim.tasks.get(namesake.id))?.status).toBe('processing')
})

test('a reset ends an advance in progress', async () => {
  const sim = simulate({ transport: () => new Promise(() => {}), patience: 20 })
  await create(sim, { webhookUrl: 'http://receiver.test/' })
  const advance = sim.clock.advance('1h')
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  await sim.reset()
  await advance
  expect(sim.clock.now()).toBe(0)
})

test('nothing happens after a simulator is closed', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  sim.close()
  await sim.clock.advance('1h')
  expect((await sim.tasks.get(id))?.status).toBe('processing')
})

test('of tasks that end at the same instant, the oldest one is forgotten first', async () => {
  const sim = simulate({ keepTasks: 1 })
  const forgotten: string[] = []
  sim.on('task.forgotten', ({ id }) => forgotten.push(id))
  const ids: string[] = []
  for (let number = 1; number <= 4; number++) ids.push((await create(sim, { input: { number } })).id)
  await sim.clock.advance('1s')
  expect(forgotten).toEqual(ids.slice(0, 3))
})

test('tasks are forgotten in the order of their ends', async () => {
  const scenario = { capacity: { running: 2 }, defaults: { delay: '1s' as const } }
  const sim = simulate({ scenario, keepTasks: 2 })
  const ended: string[] = []
  const forgotten: string[] = []
  sim.on('task.finished', ({ id }) => ended.push(id))
  sim.on('task.forgotten', ({ id }) => forgotten.push(id))
  for (let number = 1; number <= 7; number++) await create(sim, { input: { number } })
  await sim.clock.runUntilIdle()
  expect(ended).toHaveLength(7)
  expect(forgotten).toEqual(ended.slice(0, 5))
  expect(sim.tasks.list({ limit: 10 })?.tasks.map(({ id }) => id)).toEqual(ended.slice(5).reverse())
})

test.each([0, -1, 1.5, Number.NaN, '10'])('%s is not a number of tasks to keep', (keepTasks) => {
  const make = () => createSimulator({ keepTasks: keepTasks as number })
  expect(make).toThrow(/Expected `keepTasks` to be a whole number from 1 up, or Infinity/)
})
