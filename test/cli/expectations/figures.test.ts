import { expect, it } from 'vitest'
import { checkExpectations } from '../../../src/cli/expectations/check-expectations.js'
import { parseScenario } from '../../../src/scenario/read-text.js'
import { sampleOf } from '../../support/deep.js'

const SCENARIO = `
kinds:
  image:
    queueing: { min: 1s, max: 3s }
    delay: { percentiles: { p0: 4s, p100: 6s } }
    price: { per_task: 0.5 }
    failures: { rate: 0.2, errors: [{ code: blocked, message: No., weight: 3 }, { code: busy, message: Later. }] }
`

/** Returns the unmet expectations of 400 tasks. */
function failuresOf(expectation: string): Promise<string[]> {
  const create = 'create: { model: acme/image-1, input: { prompt: waves } }'
  return checkExpectations(
    parseScenario(`${SCENARIO}\nexpect:\n  - { ${create}, repeat: 400, ${expectation} }`),
  )
}

it.each(
  sampleOf(1, [
    'queueing: { p50: { min: 1900ms, max: 2100ms }, p100: { max: 3s } }',
    'processing: { p0: { min: 4s }, p90: { min: 5700ms, max: 5900ms } }',
    'errors: { blocked: { min: 0.6, max: 0.9 } }',
    'cost: { min: 0.5, max: 0.5 }',
  ]),
)('a scenario meets figures within tolerances: %s', async (figures) => {
  expect(await failuresOf(figures)).toEqual([])
})

it.each(
  sampleOf(1, [
    ['queueing: { p50: { max: 1500ms } }', /^expect\[0\]: queueing p50: expected at most 1500ms, got \d+ms$/],
    ['processing: { p0: { min: 5s, max: 6s } }', /processing p0: expected at least 5s and at most 6s, got 4/],
    ['errors: { busy: { min: 0.9 } }', /busy: expected a share of 0.9 to 1, got 0.2/],
    ['cost: { max: 0.4 }', /cost: expected at most \$0.4, got \$0.5/],
  ] as const),
)('a figure outside the tolerance is reported with its value: %s', async (figures, message) => {
  expect(await failuresOf(figures)).toEqual([expect.stringMatching(message)])
})
