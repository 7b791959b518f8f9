import { expect, test } from 'vitest'
import { ModelResolver } from '../../../src/engine/scenario/model-resolver.js'
import { costOf, toDollars } from '../../../src/engine/tasks/pricing.js'
import { shippedScenario } from '../../../src/scenario/shipped.js'

test.each([
  [{ per_task: 0.005 }, {}, 5_000],
  [{ per_image: 0.04 }, { images: 3 }, 120_000],
  [{ per_second: 0.1 }, { seconds: 7.5 }, 750_000],
  [{ per_million_input_tokens: 2.5 }, { inputTokens: 1_000_000 }, 2_500_000],
  [{ per_million_output_tokens: 10 }, { outputTokens: 12 }, 120],
  [{ per_image: 0.04 }, { seconds: 3, inputTokens: 5 }, 0],
  [{}, { images: 3 }, 0],
])('%j for %j costs %d micro-dollars', (price, usage, cost) => {
  expect(costOf(price, usage)).toBe(cost)
})

test('all parts of a price add up', () => {
  const price = {
    per_task: 1,
    per_image: 0.1,
    per_second: 0.01,
    per_million_input_tokens: 3,
    per_million_output_tokens: 5,
  }
  expect(costOf(price, { images: 2, seconds: 4, inputTokens: 10, outputTokens: 20 })).toBe(1_240_130)
})

test('a cost is rounded once, at the end, to a whole micro-dollar', () => {
  const price = { per_million_input_tokens: 0.3, per_million_output_tokens: 0.3 }
  expect(costOf(price, { inputTokens: 1 })).toBe(0)
  expect(costOf(price, { inputTokens: 1, outputTokens: 1 })).toBe(1)
  expect(costOf({ per_second: 0.1 }, { seconds: 3 })).toBe(300_000)
})

test.each([
  ['acme/composer-2.5', 3],
  ['other/composer-2.5-fast', 1],
])('a million input tokens of %s cost %d dollars, and output tokens nothing', (id, dollars) => {
  const models = new ModelResolver(shippedScenario('default'))
  const { price } = models.behavior('llm', models.find(id), undefined)
  expect(toDollars(costOf(price, { inputTokens: 1_000_000, outputTokens: 1_000_000 }))).toBe(dollars)
})

test('dollars have at most 6 decimals', () => {
  expect([toDollars(24), toDollars(80_000), toDollars(0)]).toEqual([0.000024, 0.08, 0])
})
