import { normalTail } from './normal.js'
import type { Cdf } from './spread-cdf.js'
import { chiSquareTail, kolmogorovTail } from './tails.js'

/** Times are rounded to milliseconds. */
const HALF_STEP = 0.5
/** The distance that the interpolation between percentiles adds, for a sample of one value. */
const INTERPOLATION = 0.25

/**
 * The probability that a sample has so different a location by chance, from the ranks of its values in a distribution.
 * @param size of the sample from which the distribution was learned
 * @see Mann and Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger", 1947
 */
export function locationTest(sorted: Float64Array, cdf: Cdf, size: number): number {
  const sum = sorted.reduce(
    (total, value) => total + (cdf(value - HALF_STEP) + cdf(value + HALF_STEP)) / 2,
    0,
  )
  const variance = (1 / size + 1 / sorted.length) / 12
  return normalTail((sum / sorted.length - 0.5) / Math.sqrt(variance))
}

/**
 * The probability that a sample has so different a shape by chance.
 * @param size of the sample from which the distribution was learned
 * @see Smirnov, "Table for Estimating the Goodness of Fit of Empirical Distributions", 1948
 */
export function shapeTest(sorted: Float64Array, cdf: Cdf, size: number): number {
  let largest = 0
  for (const [index, value] of sorted.entries()) {
    // Only the last of equal values has the full share.
    if (sorted[index + 1] === value) continue
    largest = Math.max(largest, Math.abs((index + 1) / sorted.length - cdf(value + HALF_STEP)))
  }
  const distance = Math.max(0, largest - INTERPOLATION / Math.sqrt(size))
  return kolmogorovTail(distance, 1 / (1 / size + 1 / sorted.length))
}

/** A number of tasks among others. */
export interface Part {
  readonly count: number
  readonly whole: number
}

/**
 * The probability that two shares differ so much by chance.
 * @see Yates, "Contingency Tables Involving Small Numbers and the Chi-Square Test", 1934
 */
export function shareTest(one: Part, other: Part): number {
  const share = (one.count + other.count) / (one.whole + other.whole)
  if (share === 0 || share === 1) return 1
  const inverse = 1 / one.whole + 1 / other.whole
  const difference = Math.abs(one.count / one.whole - other.count / other.whole) - inverse / 2
  return normalTail(Math.max(0, difference) / Math.sqrt(share * (1 - share) * inverse))
}

const SMALLEST_EXPECTED = 5

/**
 * The probability that counts by name are divided so differently by chance. Merges rare names.
 * @see Pearson, "On the Criterion that a Given System of Deviations...", 1900
 */
export function mixTest(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const [n, m] = [total(one), total(other)]
  if (n === 0 || m === 0) return 1
  const rows: (readonly [number, number])[] = []
  let rare: readonly [number, number] = [0, 0]
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const row = [one.get(name) ?? 0, other.get(name) ?? 0] as const
    const expected = ((row[0] + row[1]) * Math.min(n, m)) / (n + m)
    if (expected >= SMALLEST_EXPECTED) rows.push(row)
    else rare = [rare[0] + row[0], rare[1] + row[1]]
  }
  if (rare[0] + rare[1] > 0) rows.push(rare)
  const square = rows.reduce((sum, [a, b]) => {
    const [expectedA, expectedB] = [((a + b) * n) / (n + m), ((a + b) * m) / (n + m)]
    return sum + (a - expectedA) ** 2 / expectedA + (b - expectedB) ** 2 / expectedB
  }, 0)
  return chiSquareTail(square, rows.length - 1)
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

/**
 * The tests that fail so that at most one in `1 / significance` histories without any change has a failed test.
 * @see Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979
 */
export function failedTests<Test extends { readonly p: number }>(
  tests: readonly Test[],
  significance: number,
): Test[] {
  const sorted = [...tests].sort((one, other) => one.p - other.p)
  const passed = sorted.findIndex(({ p }, index) => p > significance / (sorted.length - index))
  return passed === -1 ? sorted : sorted.slice(0, passed)
}
