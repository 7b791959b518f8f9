import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { runs } from '../support/deep.js'
import { create, simulate } from '../support/simulations.js'

const REALISTIC: ScenarioInput = {
  extends: 'realistic',
  defaults: { failures: { rate: 0.3 } },
}

/** 200 requests of several kinds, with many repeats. */
const REQUESTS = Array.from({ length: 200 }, (_, index) => ({
  model: ['acme/image-1', 'acme/video-1', 'acme/speech-1'][index % 3] ?? '',
  input: { prompt: `prompt ${index % 50}` },
  owner: `sk_${index % 7}`,
}))

/** Creates tasks concurrently, and returns each request with its outcome, in no order. */
async function outcomesOf(requests: readonly (typeof REQUESTS)[number][], scenario = REALISTIC, seed = '1') {
  const sim = simulate({ scenario, seed, patience: 0 })
  const made = await Promise.all(requests.map((request) => create(sim, request)))
  await sim.clock.runUntilIdle()
  const ended = await Promise.all(made.map(({ id }) => sim.tasks.get(id)))
  return ended
    .map((task) =>
      JSON.stringify([task?.model, task?.input, task?.id, task?.status, task?.completedAt, task?.cost]),
    )
    .sort()
}

test('the arrival order of requests changes no outcome', async () => {
  const expected = await outcomesOf(REQUESTS)
  expect(new Set(expected.map((line) => JSON.parse(line)[2])).size).toBe(200)
  expect(new Set(expected.map((line) => JSON.parse(line)[3]))).toEqual(new Set(['succeeded', 'failed']))
  const shuffled = fc.shuffledSubarray(REQUESTS, { minLength: REQUESTS.length })
  await fc.assert(
    fc.asyncProperty(shuffled, async (requests) => {
      expect(await outcomesOf(requests)).toEqual(expected)
    }),
    { numRuns: runs(4, 20) },
  )
})

test('a rule without a match changes nothing', async () => {
  const rules: ScenarioInput['rules'] = [{ when: { model: 'nobody/asks' }, then: { outcome: 'stuck' } }]
  expect(await outcomesOf(REQUESTS, { ...REALISTIC, rules })).toEqual(await outcomesOf(REQUESTS))
})

test('another seed produces other ids and other outcomes', async () => {
  const first = await outcomesOf(REQUESTS)
  const second = await outcomesOf(REQUESTS, REALISTIC, '2')
  expect(second.filter((line) => first.includes(line))).toEqual([])
})

test('a repeated request creates another task, and creates the same tasks after a reset', async () => {
  const sim = simulate({ scenario: REALISTIC })
  const three = async () => {
    const made = []
    for (let count = 0; count < 3; count++) made.push(await create(sim))
    return made.map(({ id, plan }) => ({ id, end: plan.end }))
  }
  const first = await three()
  expect(new Set(first.map(({ id }) => id)).size).toBe(3)
  await sim.clock.advance('1h')
  await sim.reset()
  expect(await three()).toEqual(first)
  expect(sim.clock.now()).toBe(0)
})

test('the API key changes no outcome', async () => {
  const [one, two] = await Promise.all(
    ['sk_one', 'sk_two'].map(async (owner) => create(simulate({ scenario: REALISTIC }), { owner })),
  )
  expect([two?.id, two?.plan]).toEqual([one?.id, one?.plan])
})
