import { expect, it } from 'vitest'
import { chanceOfDifference } from '../../../src/record/check/difference.js'

const counts = (...values: readonly number[]) =>
  new Map(values.map((count, index) => [`${index}`, count] as const))

it('the chance of a difference is that of published tables of chi-square', () => {
  // (a - b)^2 / (a + b) in each of two equal samples: 3.841 with one degree of freedom.
  expect(chanceOfDifference(counts(500, 500), counts(543.83, 456.17))).toBeCloseTo(0.05, 2)
  expect(chanceOfDifference(counts(100, 100, 100), counts(100, 100, 100))).toBeCloseTo(1, 2)
  expect(chanceOfDifference(counts(1_000, 0), counts(0, 1_000))).toBeLessThan(1e-9)
})

it('rare properties count as one', () => {
  const one = counts(500, ...new Array<number>(50).fill(0))
  const other = counts(450, ...new Array<number>(50).fill(1))
  expect(chanceOfDifference(one, other)).toBeLessThan(1e-6)
  expect(chanceOfDifference(counts(500, 1), counts(500, 0))).toBeGreaterThan(0.1)
})
