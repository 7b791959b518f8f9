import fc from 'fast-check'
import { expect, it } from 'vitest'
import { calculateSample } from '../../src/control/preview/calculate-sample.js'
import { simulateSample } from '../../src/control/preview/sample.js'
import { parseScenario } from '../../src/index.js'
import { runs } from '../support/deep.js'

const spread = fc.constantFrom(
  '0s',
  '1s',
  '2s',
  '3s',
  '1500ms',
  '{ min: 0s, max: 3s }',
  '{ mean: 4s }',
  '30d',
)
const behavior = fc
  .record({
    queueing: spread,
    delay: spread,
    rate: fc.constantFrom(0, 0.3, 1),
    price: fc.constantFrom('per_task: 0.013', 'per_second: 0.1', 'per_million_output_tokens: 7.7'),
  })
  .map(
    ({ queueing, delay, rate, price }) =>
      `queueing: ${queueing}, delay: ${delay}, price: { ${price} }, failures: { rate: ${rate}, errors: [{ code: a, message: A }, { code: b, message: B }] }`,
  )
const rule = fc
  .record({ from: fc.nat(20), outcome: fc.constantFrom('stuck', 'canceled', 'failed'), behavior })
  .map(
    ({ from, outcome, behavior }) =>
      `{ when: { input: { variant: { min: ${from}, max: ${from + 4} } } }, then: { outcome: ${outcome}, ${behavior} } }`,
  )
const receivers = fc.subarray([
  'http://a.example/',
  '{ url: http://b.example/, events: [task.failed] }',
  '{ url: http://169.254.1.1/, retries: [1s, 2s] }',
])

it('a calculated preview has the same figures as a simulator', async () => {
  const scenarios = fc
    .record({ behavior, rules: fc.array(rule, { maxLength: 3 }), receivers })
    .map(
      ({ behavior, rules, receivers }) =>
        `defaults: { ${behavior} }\nrules: [${rules}]\nwebhooks: { receivers: [${receivers}] }`,
    )
  const options = fc.record({
    model: fc.constantFrom('acme/image', 'acme/video', 'acme/audio', 'acme/tool', 'acme/llm'),
    every: fc.constantFrom(0, 500, 1_000, 86_400_000),
    seed: fc.constantFrom('1', '2'),
  })
  await fc.assert(
    fc.asyncProperty(scenarios, options, async (text, given) => {
      const scenario = parseScenario(text)
      const calculated = await calculateSample(scenario, { ...given, tasks: 30 })
      const simulated = await simulateSample(scenario, { ...given, tasks: 30 })
      expect(calculated).toEqual(simulated)
      // The order of the fields and the last digit of each figure depend on the order in which the tasks ended.
      expect(JSON.stringify(calculated)).toBe(JSON.stringify(simulated))
    }),
    { numRuns: runs(20, 500) },
  )
})

it.each([
  ['rate limits', 'rate_limits: [{ requests: 5, per: 1m }]'],
  ['faults', 'faults: [{ when: { rate: 0.5 }, then: 503 }]'],
  ['a limited capacity', 'capacity: { kinds: { image: { running: 1 } } }'],
  ['credits', 'auth: { credits: 1 }'],
  ['keys that expire', 'auth: { keys: [{ key: sk_expires_soon, expires: 1m }] }'],
  ['webhook faults', 'webhooks: { faults: [{ then: duplicate }] }'],
  ['tasks that end at a poll', 'defaults: { delay: { polls: 2 } }'],
  ['a time beyond the last year', 'defaults: {}'],
  ['rejected requests', 'api: { unknown_models: reject }'],
])('a scenario with %s is left to a simulator', async (_, text) => {
  const every = text === 'defaults: {}' ? 1e15 : 1_000
  const options = { model: 'acme/image', tasks: 10, every, seed: undefined }
  expect(await calculateSample(parseScenario(text), options)).toBeUndefined()
})

it('tasks under limits of other requests are calculated', async () => {
  const text = 'rate_limits: [{ operation: tasks.retrieve, requests: 5, per: 1m }]'
  const options = { model: 'acme/image', tasks: 10, every: 1_000, seed: undefined }
  expect(await calculateSample(parseScenario(text), options)).toMatchObject({ outcomes: { succeeded: 10 } })
})
