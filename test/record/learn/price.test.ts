import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/json.js'
import { Chance } from '../../../src/engine/random.js'
import { costOf, type Price, toDollars } from '../../../src/engine/tasks/pricing.js'
import { learnPrice } from '../../../src/record/learn/price/learn-price.js'
import { PricedTasks, usageOf } from '../../../src/record/learn/price/priced-tasks.js'
import { deepTest, runs } from '../../support/deep.js'

interface Order {
  readonly input: JsonObject
  readonly output?: JsonObject
  readonly price: Price
}

/** Learns from tasks that cost what their prices say. */
function learned(kind: string, orders: readonly Order[]) {
  const tasks = new PricedTasks(kind)
  for (const [index, { input, output, price }] of orders.entries()) {
    const costUsd = toDollars(costOf(price, usageOf(kind, input, output)))
    const task = { id: `${index}`, dialect: 'tasks', model: 'm', status: 'succeeded', createdAt: 0 } as const
    tasks.add({ ...task, costUsd, input, output })
  }
  return learnPrice(tasks)
}

function ordersOf(size: number, seed: number, order: (draw: (bound: number) => number) => Order): Order[] {
  const random = Chance.of(`orders ${seed}`).stream('orders')
  return Array.from({ length: size }, () => order((bound) => random.int(bound)))
}

/** A price such as 0.04 or 2.5: at most three digits. */
const dollars = fc
  .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 4 }))
  .map(([digits, decimals]) => Number((digits / 10 ** decimals).toFixed(decimals)))
const seed = fc.integer({ min: 0, max: 1_000 })
const settings = { numRuns: runs(5, 100) }

it('the learner finds every price per second, with or without a fixed part, to the last digit', () => {
  const prices = fc.oneof(
    fc.record({ per_second: dollars }),
    fc.record({ per_second: dollars, per_task: dollars }),
  )
  fc.assert(
    fc.property(prices, seed, (price, from) => {
      const orders = ordersOf(200, from, (draw) => ({ input: { duration: 1 + draw(20) }, price }))
      expect(learned('video', orders)).toMatchObject({ price, rules: [], explained: 1, isMedian: false })
    }),
    settings,
  )
})

deepTest('the learner finds the prices of input and output tokens, from costs in whole micro-dollars', () => {
  // A price of less than a cent for a million tokens disappears in the rounding of a cost.
  const cents = dollars.map((price) => Math.max(price, 0.01))
  const price = fc.record({ per_million_input_tokens: cents, per_million_output_tokens: cents })
  fc.assert(
    fc.property(price, seed, (price, from) => {
      const orders = ordersOf(500, from, (draw) => {
        const usage = { input_tokens: 1 + draw(20_000), output_tokens: 1 + draw(4_000) }
        return { input: {}, output: { usage }, price }
      })
      expect(learned('llm', orders).explained).toBe(1)
    }),
    settings,
  )
  const price2 = { per_million_input_tokens: 2.5, per_million_output_tokens: 10 }
  const orders = ordersOf(100, 1, (draw) => {
    const usage = { prompt_tokens: 50 + draw(2_000), completion_tokens: 50 + draw(900) }
    return { input: {}, output: { usage }, price: price2 }
  })
  expect(learned('llm', orders).price).toEqual(price2)
})

it('the learner prefers the price that fits the kind if all orders are equal', () => {
  const orders = Array<Order>(10).fill({ input: { n: 2 }, price: { per_image: 0.04 } })
  expect(learned('image', orders).price).toEqual({ per_image: 0.04 })
  const sevenSeconds = Array<Order>(10).fill({ input: { duration: 7 }, price: { per_task: 0.3 } })
  expect(learned('video', sevenSeconds).price).toEqual({ per_task: 0.3 })
  expect(learned('tool', Array<Order>(10).fill({ input: {}, price: {} })).price).toEqual({ per_task: 0 })
})

it('the learner counts the images of the output, not those of the input', () => {
  const output = { images: ['a', 'b', 'c'] }
  expect(usageOf('image', { n: 4 }, output)).toEqual({ images: 3 })
  expect(usageOf('video', { duration: '8s' }, { video: 'u' })).toEqual({ seconds: 8 })
  expect(usageOf('video', { duration: 120 })).toEqual({ seconds: 120 })
})

it('the learner ignores one cost in a hundred that follows no rule', () => {
  const regular = ordersOf(400, 3, (draw) => ({
    input: { duration: 1 + draw(20) },
    price: { per_second: 0.12, per_task: 0.05 },
  }))
  const orders = regular.map((order, index) =>
    index % 150 === 7 ? { ...order, price: { per_task: 0.777 } } : order,
  )
  const { price, explained } = learned('video', orders)
  expect(price).toEqual({ per_second: 0.12, per_task: 0.05 })
  expect(explained).toBeLessThan(1)
})

it('the learner finds the field of the input that decides the price', () => {
  const prices = { '480p': 0.05, '720p': 0.1, '1080p': 0.24 }
  const orders = ordersOf(300, 4, (draw) => {
    const resolution = (['720p', '480p', '1080p', '720p'] as const)[draw(4)] ?? '720p'
    const price = { per_second: prices[resolution] }
    const isDefault = resolution === '480p'
    return {
      input: {
        duration: 2 + draw(9),
        seed: draw(1e6),
        aspect: ['16:9', '1:1'][draw(2)] ?? '',
        ...(!isDefault && { resolution }),
      },
      price,
    }
  })
  const { price, rules, explained } = learned('video', orders)
  expect(explained).toBe(1)
  expect(price).toEqual({ per_second: 0.05 })
  expect(rules).toEqual([
    { input: { resolution: '720p' }, price: { per_second: 0.1 } },
    { input: { resolution: '1080p' }, price: { per_second: 0.24 } },
  ])
})

it('the learner finds two fields that decide the price together, also if one of them may be missing', () => {
  const prices = {
    standard: { '480p': { per_second: 0.05 }, '720p': { per_second: 0.1 }, '1080p': { per_task: 0.9 } },
    high: {
      '480p': { per_second: 0.08 },
      '720p': { per_second: 0.16, per_task: 0.02 },
      '1080p': { per_task: 1.5 },
    },
  } as const
  fc.assert(
    fc.property(seed, (from) => {
      const orders = ordersOf(400, from, (draw) => {
        const resolution = (['480p', '720p', '1080p'] as const)[draw(3)] ?? '480p'
        const quality = (['standard', 'high'] as const)[draw(2)] ?? 'high'
        const isShown = quality === 'high' || draw(2) === 0
        const audio = draw(2) === 0
        const input = { duration: 2 + draw(9), resolution, audio, ...(isShown && { quality }) }
        return { input, price: prices[quality][resolution] }
      })
      const { price, rules, explained } = learned('video', orders)
      expect(explained).toBe(1)
      for (const { input, price: actual } of orders) {
        const rule = rules.find((each) =>
          Object.entries(each.input).every(
            ([name, value]) => new Map(Object.entries(input)).get(name) === value,
          ),
        )
        expect(rule?.price ?? price).toEqual(actual)
      }
    }),
    { numRuns: runs(1, 20) },
  )
})

it('the learner does not split prices by fields that leave costs unexplained', () => {
  const orders = ordersOf(300, 6, (draw) => ({
    input: { size: ['s', 'm', 'l'][draw(3)] ?? '', color: ['red', 'blue'][draw(2)] ?? '' },
    price: { per_task: (1 + draw(50)) / 100 },
  }))
  expect(learned('tool', orders)).toMatchObject({ isMedian: true, rules: [] })
})

it('the learner falls back to the median if no rule explains the costs, and says how little it explains', () => {
  const orders = ordersOf(200, 5, (draw) => ({ input: {}, price: { per_task: (1 + draw(10_000)) / 1_000 } }))
  const { isMedian, explained, price } = learned('tool', orders)
  expect(isMedian).toBe(true)
  expect(explained).toBeLessThan(0.05)
  expect(price.per_task).toBeGreaterThan(3)
})
