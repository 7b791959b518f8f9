import { expect, test } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import { Planner } from '../../../src/engine/tasks/planner.js'
import { parseScenario } from '../../../src/index.js'
import { builtInKinds } from '../../../src/kinds/produce.js'

const COUNT = 10_000

/** Returns the plans of many different requests under one scenario. */
function plansBy(yaml: string, count = COUNT) {
  const planner = new Planner(parseScenario(yaml), builtInKinds)
  const root = Chance.of('seed')
  return Array.from({ length: count }, (_, index) => {
    const task = { model: 'acme/a', kind: 'image' as const, dialect: 'tasks', input: { index } }
    const order = { ...task, key: 'sk', occurrence: 1 }
    return planner.plan(order, root.child(String(index)))
  })
}

const share = (plans: readonly unknown[], of: number) => plans.length / of

test('the same request under the same scenario has the same plan', () => {
  const yaml = 'defaults: { delay: { median: 2s, p95: 9s }, failures: { rate: 0.5 } }'
  expect(plansBy(yaml, 50)).toEqual(plansBy(yaml, 50))
})

test('tasks fail at the rate in the scenario', () => {
  const failed = (rate: number, count?: number) =>
    plansBy(`defaults: { failures: { rate: ${rate} } }`, count).filter(({ outcome }) => outcome === 'failed')
  expect(Math.abs(share(failed(0.2), COUNT) - 0.2)).toBeLessThan(0.015)
  expect(failed(0, 500)).toHaveLength(0)
  expect(failed(1, 500)).toHaveLength(500)
})

test('errors occur in proportion to their weights', () => {
  const plans = plansBy(`
defaults:
  failures:
    rate: 1
    errors:
      - { code: a, message: A., weight: 6 }
      - { code: b, message: B., weight: 3 }
      - { code: c, message: C. }
`)
  const shares = ['a', 'b', 'c'].map((code) =>
    share(
      plans.filter(({ error }) => error?.code === code),
      COUNT,
    ),
  )
  for (const [index, expected] of [0.6, 0.3, 0.1].entries())
    expect(Math.abs((shares[index] ?? 0) - expected)).toBeLessThan(0.018)
  expect(plans[0]?.error).toEqual({ code: expect.stringMatching(/^[abc]$/), message: expect.any(String) })
})

test('the outcome of a task and its duration are drawn independently', () => {
  const yaml = 'defaults: { delay: { min: 0s, max: 10s }, failures: { rate: 0.5 } }'
  const failed = plansBy(yaml).filter(({ outcome }) => outcome === 'failed')
  const slow = failed.filter(({ end }) => 'after' in end && end.after > 5_000)
  expect(Math.abs(share(slow, failed.length) - 0.5)).toBeLessThan(0.03)
})

test('a rule that does not match changes nothing', () => {
  const yaml = 'defaults: { delay: { median: 2s, p95: 9s }, failures: { rate: 0.5 } }\n'
  const rule = 'rules: [{ when: { model: other }, then: { outcome: stuck, delay: 1s } }]'
  expect(plansBy(yaml + rule, 200)).toEqual(plansBy(yaml, 200))
})

test('a rule that sets one property leaves all other draws unchanged', () => {
  const yaml = 'defaults: { delay: { median: 2s, p95: 9s }, failures: { rate: 0.5 } }\n'
  const withRule = plansBy(`${yaml}rules: [{ name: expensive, then: { price: { per_task: 1 } } }]`, 200)
  const expected = plansBy(yaml, 200).map((plan) => ({ ...plan, price: { per_task: 1 }, rule: 'expensive' }))
  expect(withRule).toEqual(expected)
})

test('only the first matching rule applies', () => {
  const [plan] = plansBy(`
rules:
  - { name: other, when: { model: other }, then: { delay: 1s } }
  - { name: first, then: { delay: 2s } }
  - { name: second, then: { delay: 3s, outcome: failed } }
`)
  expect(plan).toMatchObject({ rule: 'first', end: { after: 2_000 }, outcome: 'succeeded' })
})

test('a failure by rule has the error of the rule, or else one of the scenario, or else the default', () => {
  const error = (then: string) => plansBy(`rules: [{ then: { outcome: failed, ${then} } }]`, 1)[0]?.error
  const spare = 'failures: { rate: 0, errors: [{ code: spare, message: Spare. }] }'
  expect(error(`${spare}, error: { code: own, message: Own. }`)).toEqual({ code: 'own', message: 'Own.' })
  expect(error(spare)).toEqual({ code: 'spare', message: 'Spare.' })
  expect(error('delay: 1s')).toEqual({
    code: 'generation_failed',
    message: 'The generation could not be completed.',
  })
})

test('a task that is planned to succeed has no error', () => {
  const plans = plansBy('rules: [{ then: { outcome: succeeded, error: { code: x, message: y } } }]', 1)
  expect(plans[0]).toMatchObject({ outcome: 'succeeded', error: undefined })
})
