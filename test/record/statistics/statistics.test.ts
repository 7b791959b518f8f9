import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import { normalCdf, normalTail } from '../../../src/record/statistics/normal.js'
import { roundestBetween } from '../../../src/record/statistics/round-number.js'
import { cdfOf } from '../../../src/record/statistics/spread-cdf.js'
import { chiSquareTail, kolmogorovTail } from '../../../src/record/statistics/tails.js'
import type { Spread } from '../../../src/scenario/model/delay.js'
import { drawDelay } from '../../../src/scenario/rules/draw-delay.js'

it('knows the published quantiles of the normal distribution', () => {
  expect(normalCdf(0)).toBeCloseTo(0.5, 7)
  expect(normalCdf(1.644854)).toBeCloseTo(0.95, 6)
  expect(normalTail(-1.959964)).toBeCloseTo(0.05, 6)
  expect(normalTail(6) / 1.973175e-9).toBeCloseTo(1, 4)
})

it('knows the published critical values of chi-square and Kolmogorov-Smirnov tests', () => {
  expect(chiSquareTail(3.841, 1)).toBeCloseTo(0.05, 2)
  expect(chiSquareTail(18.307, 10)).toBeCloseTo(0.05, 3)
  expect(chiSquareTail(49.728, 23)).toBeCloseTo(0.001, 4)
  // Table of Smirnov (1948) for n = 20 and 5 %.
  expect(kolmogorovTail(0.294, 20)).toBeCloseTo(0.05, 2)
  expect(kolmogorovTail(0.0136, 10_000)).toBeCloseTo(0.05, 2)
})

it('rounds to the fewest decimals within bounds', () => {
  expect(roundestBetween(1.9, 5.2)).toBe(4)
  expect(roundestBetween(0.0396, 0.0404)).toBe(0.04)
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-6, max: 1, noNaN: true }),
      (low, width) => {
        const rounded = roundestBetween(low, low + width)
        expect(rounded >= low && rounded <= low + width).toBe(true)
      },
    ),
  )
})

const SPREADS: Spread[] = [
  { min: 2_000, max: 5_000 },
  { median: 7_000, p95: 18_000 },
  { median: 7_000, p95: 18_000, min: 4_000, max: 20_000 },
  { mu: 2, sigma: 0.5 },
  { mean: 5_000, stddev: 1_000, min: 0 },
  { mean: 4_000 },
  { percentiles: { p0: 1_000, p60: 2_000, 'p60.1': 9_000, p99: 20_000 } },
]

it.each(SPREADS)('has the distribution function of %j', (spread) => {
  const random = Chance.of('cdf').stream('delay')
  const drawn = Array.from({ length: 4_000 }, () => drawDelay(spread, () => random))
  const cdf = cdfOf(spread)
  for (const x of [1_500, 3_000, 5_000, 8_000, 19_999, 50_000]) {
    const share = drawn.filter((delay) => delay <= x).length / drawn.length
    expect(Math.abs(share - cdf(x + 0.5))).toBeLessThan(0.032)
  }
})
