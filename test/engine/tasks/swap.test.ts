import { expect, test } from 'vitest'
import { defineScenario, type ScenarioInput } from '../../../src/index.js'
import { create, simulate } from '../../support/simulations.js'

const withCapacity = (capacity: ScenarioInput['capacity'] = {}): ScenarioInput => ({
  defaults: { delay: '10s' },
  capacity,
})

test.each([
  ['everything', undefined, { running: 1 }],
  ['a kind', { running: 5 }, { running: 5, kinds: { image: { running: 1 } } }],
  ['a model', { running: 5 }, { running: 5, models: { 'acme/image-1': { running: 1 } } }],
  ['a key', { running: 5 }, { running: 5, keys: { sk_one: { running: 1 } } }],
])('a new limit of %s counts the tasks that already run', async (_, before, after) => {
  const sim = simulate({ scenario: withCapacity(before) })
  for (const fate of ['first', 'second']) await create(sim, { input: { fate } })
  sim.useScenario(defineScenario(withCapacity(after)))
  const late = await create(sim, { input: { fate: 'late' } })
  expect(late.status).toBe('queued')
  await sim.clock.advance('10s')
  expect(await sim.tasks.get(late.id)).toMatchObject({ status: 'processing', startedAt: 10_000 })
})

test('a task that waits under the old limits gets a place under the new ones', async () => {
  const sim = simulate({ scenario: withCapacity({ running: 1 }) })
  for (const fate of ['first', 'second']) await create(sim, { input: { fate } })
  sim.useScenario(defineScenario(withCapacity({ running: 5, kinds: { image: { running: 1 } } })))
  await sim.settled()
  const { tasks } = (await sim.tasks.list({ owner: 'sk_one', limit: 10 })) ?? { tasks: [] }
  expect(tasks.map(({ status }) => status)).toEqual(['queued', 'processing'])
})
