import { percentile, percentileInterval } from '../../../inspect/statistics.js'
import { roundMilliseconds } from './fits.js'

/** The percentiles of a sample, in milliseconds, by name. */
export type Percentiles = Readonly<Record<string, number>>

/** Percentiles that readers look for. */
const ALWAYS = [0, 50, 90, 99, 100]
/** The deviation that is always acceptable. */
const RELATIVE = 0.01
/** The deviation that is acceptable as a part of the 95 % interval. */
const PART_OF_INTERVAL = 0.5
/** Below this distance from the ends, a rank has no values of its own. */
const VALUES_AT_ENDS = 2

/**
 * The percentiles between which linear interpolation stays close to those of the sample: within 1 % or half of
 * their 95 % interval. Starts with a few percentiles, and adds the one that deviates most, as the algorithm of Ramer, Douglas and
 * Peucker (1973) does for lines.
 * @param sorted milliseconds
 */
export function choosePercentiles(sorted: Float64Array): Percentiles {
  const ranks = ranksFor(sorted.length)
  const values = ranks.map((rank) => percentile(sorted, rank))
  const tolerances = ranks.map((rank, index) => toleranceOf(sorted, rank, values[index] ?? 0))
  const chosen = new Set<number>()
  const anchors = ranks.flatMap((rank, index) => (ALWAYS.includes(rank) ? [index] : []))
  for (const [position, anchor] of anchors.entries()) {
    chosen.add(anchor)
    const next = anchors[position + 1]
    if (next !== undefined) split(anchor, next, { ranks, values, tolerances, chosen })
  }
  const points = [...chosen].sort((a, b) => a - b)
  return Object.fromEntries(points.map((index) => [`p${ranks[index]}`, rounded(values[index] ?? 0)]))
}

interface Line {
  readonly ranks: readonly number[]
  readonly values: readonly number[]
  readonly tolerances: readonly number[]
  readonly chosen: Set<number>
}

/** Adds the points that a straight line between two others would miss. */
function split(from: number, to: number, line: Line): void {
  const { ranks, values, tolerances, chosen } = line
  const [start, end] = [values[from] ?? 0, values[to] ?? 0]
  const [low, high] = [ranks[from] ?? 0, ranks[to] ?? 0]
  let [worst, excess] = [-1, 1]
  for (let index = from + 1; index < to; index++) {
    const straight = start + ((end - start) * ((ranks[index] ?? 0) - low)) / (high - low)
    const deviation = Math.abs(straight - (values[index] ?? 0)) / (tolerances[index] ?? 1)
    if (deviation > excess) [worst, excess] = [index, deviation]
  }
  if (worst === -1) return
  chosen.add(worst)
  split(from, worst, line)
  split(worst, to, line)
}

/** All ranks in tenths, without those that the sample is too small for. */
function ranksFor(size: number): number[] {
  const inner = Array.from({ length: 999 }, (_, index) => (index + 1) / 10)
  const known = inner.filter(
    (rank) => ALWAYS.includes(rank) || (Math.min(rank, 100 - rank) * size) / 100 >= VALUES_AT_ENDS,
  )
  return [0, ...known, 100]
}

function toleranceOf(sorted: Float64Array, rank: number, value: number): number {
  const [low, high] = percentileInterval(sorted, rank)
  return Math.max(1, RELATIVE * value, (PART_OF_INTERVAL * (high - low)) / 2)
}

/** Rounds to about four digits, which keeps the order. */
function rounded(milliseconds: number): number {
  if (milliseconds < 1_000) return Math.round(milliseconds)
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(milliseconds)) - 3)
  return roundMilliseconds(milliseconds - digits / 2, milliseconds + digits / 2)
}
