import { PERCENTILES, valueAt } from './spread.js'

/** The lower and the upper bound of a confidence interval. */
export type Interval = readonly [low: number, high: number]

/** The standard normal quantile of a two-sided interval at 95 %. */
const Z = 1.959964

/**
 * The 95 % interval of a share.
 * @see Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927
 */
export function shareInterval(count: number, whole: number): Interval {
  if (whole === 0) return [0, 1]
  const share = count / whole
  const square = Z ** 2 / whole
  const center = share + square / 2
  const half = Z * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole))
  const bound = (value: number) => Math.min(1, Math.max(0, value / (1 + square)))
  return [count === 0 ? 0 : bound(center - half), count === whole ? 1 : bound(center + half)]
}

/** The 95 % intervals of counts that are parts of a whole, as shares of 0 to 1. */
export function shareIntervals(
  counts: Readonly<Record<string, number>>,
  whole: number,
): Record<string, Interval> {
  return Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, shareInterval(n, whole)]))
}

/**
 * The 95 % interval of a mean.
 * @param sum of the values
 * @param squares the sum of their squares
 */
export function meanInterval(sum: number, squares: number, count: number): Interval {
  if (count === 0) return [0, 0]
  const mean = sum / count
  if (count === 1) return [mean, mean]
  const variance = Math.max(0, (squares - sum * mean) / (count - 1))
  const half = Z * Math.sqrt(variance / count)
  return [Math.max(0, mean - half), mean + half]
}

/**
 * The 95 % interval of a percentile of sorted values: the order statistics between which it lies, whatever the
 * distribution is.
 */
export function percentileInterval(sorted: Float64Array, rank: number): Interval {
  const share = rank / 100
  const half = Z * Math.sqrt(sorted.length * share * (1 - share))
  return [
    valueAt(sorted, Math.floor(sorted.length * share - half)),
    valueAt(sorted, Math.ceil(sorted.length * share + half) + 1),
  ]
}

/** The 95 % intervals of the usual percentiles by name; the maximum has none. */
export function percentileIntervals(sorted: Float64Array): Record<string, Interval> {
  const ranks = PERCENTILES.filter((rank) => rank < 100)
  return Object.fromEntries(ranks.map((rank) => [`p${rank}`, percentileInterval(sorted, rank)]))
}
