export const PERCENTILES = [50, 90, 95, 99, 100] as const
const BINS = 10

/** The number of values between two bounds. */
interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** A percentile of sorted values by nearest rank. */
export function percentile(sorted: Float64Array, rank: number): number {
  return valueAt(sorted, Math.ceil((rank / 100) * sorted.length))
}

/** The value at a position from 1, clamped to the list. */
function valueAt(sorted: Float64Array, position: number): number {
  return sorted[Math.min(sorted.length, Math.max(1, position)) - 1] ?? 0
}

/** The percentiles `p50` to `p100` by name. */
export function percentiles(sorted: Float64Array): Record<string, number> {
  return Object.fromEntries(PERCENTILES.map((rank) => [`p${rank}`, percentile(sorted, rank)]))
}

/** The distribution of values up to the 99th percentile: outliers would leave the other bins empty. */
export function distribution(sorted: Float64Array): Bin[] {
  const [low, high] = [percentile(sorted, 0), percentile(sorted, 99)]
  if (high <= low) return []
  const counts = new Array<number>(BINS).fill(0)
  const width = (high - low) / BINS
  for (const value of sorted) {
    if (value <= high) {
      const bin = Math.min(BINS - 1, Math.floor((value - low) / width))
      counts[bin] = (counts[bin] ?? 0) + 1
    }
  }
  return counts.map((count, bin) => ({ from: low + bin * width, to: low + (bin + 1) * width, count }))
}

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

/** The 95 % intervals of counts as shares of a whole, 0 to 1. */
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

/** The 95 % interval of a percentile of sorted values, from order statistics: it holds for any distribution. */
export function percentileInterval(sorted: Float64Array, rank: number): Interval {
  const share = rank / 100
  const half = Z * Math.sqrt(sorted.length * share * (1 - share))
  return [
    valueAt(sorted, Math.floor(sorted.length * share - half)),
    valueAt(sorted, Math.ceil(sorted.length * share + half) + 1),
  ]
}

/** The 95 % intervals of the percentiles by name; the maximum has none. */
export function percentileIntervals(sorted: Float64Array): Record<string, Interval> {
  const ranks = PERCENTILES.filter((rank) => rank < 100)
  return Object.fromEntries(ranks.map((rank) => [`p${rank}`, percentileInterval(sorted, rank)]))
}
