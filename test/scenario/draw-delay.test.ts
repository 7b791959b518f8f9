import { expect, test } from 'vitest'
import { Chance } from '../../src/engine/random.js'
import type { Spread } from '../../src/engine/scenario/delay.js'
import { drawDelay } from '../../src/engine/scenario/delay.js'

const DRAWS = 20_000

/** Returns many sorted draws, each from a separate stream, as for many tasks. */
function drawn(delay: Spread, count = DRAWS): number[] {
  const root = Chance.of('seed')
  const draws = Array.from({ length: count }, (_, index) =>
    drawDelay(delay, () => root.child(String(index)).stream('delay')),
  )
  return draws.sort((a, b) => a - b)
}

const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Checks that a number is within a relative tolerance of another. */
function near(actual: number, expected: number, tolerance: number) {
  expect(Math.abs(actual - expected) / expected).toBeLessThan(tolerance)
}

test('a fixed delay draws nothing', () => {
  const delay = drawDelay(1_234, () => {
    throw new Error('drawn')
  })
  expect(delay).toBe(1_234)
})

test('a uniform delay fills the range between its bounds evenly', () => {
  const draws = drawn({ min: 2_000, max: 6_000 })
  expect(draws[0]).toBeGreaterThanOrEqual(2_000)
  expect(draws.at(-1)).toBeLessThanOrEqual(6_000)
  near(mean(draws), 4_000, 0.01)
  near(quantile(draws, 0.25), 3_000, 0.02)
  near(quantile(draws, 0.95), 5_800, 0.01)
})

test('a lognormal delay has the requested median and 95th percentile', () => {
  const draws = drawn({ median: 20_000, p95: 60_000 })
  near(quantile(draws, 0.5), 20_000, 0.02)
  near(quantile(draws, 0.95), 60_000, 0.04)
  // exp(mu + sigma^2 / 2) with sigma = ln(3) / 1.645: a sigma that is wrong by a tenth changes this by 5 %.
  near(mean(draws), 24_997, 0.03)
  near(quantile(draws, 0.05), 6_667, 0.04)
})

test('delays are whole milliseconds', () => {
  const draws = [...drawn({ min: 0, max: 10 }, 100), ...drawn({ median: 5, p95: 10 }, 100)]
  expect(draws.every(Number.isInteger)).toBe(true)
})

test('a spread of zero is a fixed delay', () => {
  expect(drawn({ min: 7, max: 7 }, 100)).toEqual(Array(100).fill(7))
  expect(drawn({ median: 7, p95: 7 }, 100)).toEqual(Array(100).fill(7))
})
