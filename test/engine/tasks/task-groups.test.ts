import { expect, test } from 'vitest'
import { cancelQueued, countTasks } from '../../../src/http/handlers/lazy/task-groups.js'
import { create, simulate } from '../../support/simulations.js'

const ONE = { owner: 'sk_one', model: 'acme/one' }

test('the tasks of a group are counted by state, and only its queued ones are canceled', async () => {
  const sim = simulate({ scenario: { defaults: { delay: '1s' }, capacity: { running: 1 } } })
  for (const model of ['acme/one', 'acme/one', 'acme/two', 'acme/one']) await create(sim, { model })
  await create(sim, { owner: 'sk_two', model: 'acme/one' })
  expect(await countTasks(sim.tasks, ONE)).toMatchObject({ processing: 1, queued: 2 })
  expect(await countTasks(sim.tasks, { owner: 'sk_one' })).toMatchObject({ processing: 1, queued: 3 })
  expect(await cancelQueued(sim.tasks, ONE)).toBe(2)
  await sim.clock.advance('2s')
  expect(await countTasks(sim.tasks, {})).toEqual({
    queued: 0,
    processing: 1,
    succeeded: 2,
    failed: 0,
    canceled: 2,
  })
})

test('a group may be larger than a page of the store', async () => {
  const sim = simulate()
  for (let made = 0; made < 1_001; made++) await create(sim)
  expect((await countTasks(sim.tasks, { owner: 'sk_one' })).processing).toBe(1_001)
})
