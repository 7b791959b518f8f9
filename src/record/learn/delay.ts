import type { Spread } from '../../engine/scenario/delay.js'
import { type Interval, percentile, percentileInterval } from '../../inspect/statistics.js'
import { roundMilliseconds } from '../numbers.js'

/** A measured percentile, in milliseconds, with its 95 % interval. */
export interface MeasuredPercentile {
  readonly value: number
  readonly interval: Interval
  /** The bounds of this percentile in most simulations of 1,000 tasks. The maximum is Infinity if it is unknown. */
  readonly tolerance: Interval
}

/** What a sample shows about a delay. */
export interface LearnedDelay {
  readonly samples: number
  readonly spread: Spread
  readonly p50: MeasuredPercentile
  readonly p90: MeasuredPercentile
  readonly p99: MeasuredPercentile
}

/** Below 29 values, the chance that all of them are below the 90th percentile is above 5 %: it has no 95 % interval. */
export const MIN_SAMPLES = 30
/** How many tasks the expectations of a scenario simulate. */
export const SIMULATED_TASKS = 1_000
/** Standard errors: by chance, a larger deviation is rarer than one in two thousand. */
const ERRORS = 3.5
const MARGIN = 0.03
/** A range of at most this part of the median counts as no variation. */
export const CONSTANT = 0.002

/**
 * The distribution of a sample: a constant, or percentiles.
 * @param sorted milliseconds, at least one
 */
export function learnDelay(sorted: Float64Array): LearnedDelay {
  const measured = (rank: number): MeasuredPercentile => ({
    value: percentile(sorted, rank),
    interval: percentileInterval(sorted, rank),
    tolerance: toleranceOf(sorted, rank),
  })
  return {
    samples: sorted.length,
    spread: spreadOf(sorted),
    p50: measured(50),
    p90: measured(90),
    p99: measured(99),
  }
}

function spreadOf(sorted: Float64Array): Spread {
  const [low, median, high] = [0, 50, 100].map((rank) => percentile(sorted, rank)) as [number, number, number]
  return high - low <= Math.max(1, CONSTANT * median) ? median : { percentiles: choosePercentiles(sorted) }
}

/**
 * The percentiles that are as far from a rank as its measured and its simulated value may be, with a margin for the
 * rounding of parameters.
 */
function toleranceOf(sorted: Float64Array, rank: number): Interval {
  const share = rank / 100
  const spread = Math.sqrt(share * (1 - share))
  const away = 100 * spread * (ERRORS / Math.sqrt(SIMULATED_TASKS) + ERRORS / Math.sqrt(sorted.length))
  const high = rank + away >= 100 ? Infinity : percentile(sorted, rank + away)
  return [percentile(sorted, Math.max(0, rank - away)) * (1 - MARGIN), high * (1 + MARGIN)]
}

/** The percentiles that readers look for, and that a check compares. */
const ALWAYS = [0, 25, 50, 75, 90, 99, 100]
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
function choosePercentiles(sorted: Float64Array): Readonly<Record<string, number>> {
  const ranks = ranksFor(sorted.length)
  const line: Line = {
    ranks,
    values: ranks.map((rank) => percentile(sorted, rank)),
    chosen: new Set(ranks.flatMap((rank, index) => (ALWAYS.includes(rank) ? [index] : []))),
    toleranceAt: (index) => {
      const [low, high] = percentileInterval(sorted, ranks[index] ?? 0)
      return Math.max(1, RELATIVE * (line.values[index] ?? 0), (PART_OF_INTERVAL * (high - low)) / 2)
    },
  }
  const anchors = [...line.chosen]
  for (const [position, anchor] of anchors.entries()) split(anchor, anchors[position + 1] ?? anchor, line)
  const points = [...line.chosen].sort((a, b) => a - b)
  return Object.fromEntries(points.map((index) => [`p${ranks[index]}`, rounded(line.values[index] ?? 0)]))
}

interface Line {
  readonly ranks: readonly number[]
  readonly values: readonly number[]
  /** The indexes of the points on the line. */
  readonly chosen: Set<number>
  toleranceAt(index: number): number
}

/** Adds the points that a straight line between two others would miss. */
function split(from: number, to: number, line: Line): void {
  const { ranks, values, chosen } = line
  const [start, end] = [values[from] ?? 0, values[to] ?? 0]
  const [low, high] = [ranks[from] ?? 0, ranks[to] ?? 0]
  let [worst, excess] = [-1, 1]
  for (let index = from + 1; index < to; index++) {
    const straight = start + ((end - start) * ((ranks[index] ?? 0) - low)) / (high - low)
    const deviation = Math.abs(straight - (values[index] ?? 0)) / line.toleranceAt(index)
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

/** Rounds to about four digits, which keeps the order. */
function rounded(milliseconds: number): number {
  if (milliseconds < 1_000) return Math.round(milliseconds)
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(milliseconds)) - 3)
  return roundMilliseconds(milliseconds - digits / 2, milliseconds + digits / 2)
}
