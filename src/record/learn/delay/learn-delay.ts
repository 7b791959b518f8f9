import { type Interval, percentile, percentileInterval } from '../../../inspect/statistics.js'
import type { Spread } from '../../../scenario/model/delay.js'
import { choosePercentiles } from './choose-percentiles.js'
import { fitExponential, fitLognormal, fitUniform } from './fits.js'

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

/** How many tasks the expectations of a scenario simulate. */
export const SIMULATED_TASKS = 1_000
/** Standard errors: by chance, a larger deviation is rarer than one in two thousand. */
const ERRORS = 3.5
const MARGIN = 0.03
/** A range of at most this part of the median counts as no variation. */
const CONSTANT = 0.002
/** The resolutions of times that services use, in milliseconds. */
const STEPS = [60_000, 1_000, 100, 10]

/**
 * The distribution of a sample: a constant, or the best of the distributions that fit, or percentiles.
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

function spreadOf(sorted: Float64Array): Spread {
  const [low, median, high] = [0, 50, 100].map((rank) => percentile(sorted, rank)) as [number, number, number]
  if (high - low <= Math.max(1, CONSTANT * median)) return median
  const step = stepOf(sorted)
  const fits = [fitUniform, fitExponential, fitLognormal].flatMap((fit) => fit(sorted, step) ?? [])
  const [best] = fits.sort((one, other) => other.likelihood - one.likelihood)
  return best?.spread ?? { percentiles: choosePercentiles(sorted) }
}

/** The resolution of the times: 1 millisecond, or a coarser resolution of which all values are multiples. */
function stepOf(sorted: Float64Array): number {
  return STEPS.find((step) => sorted.every((value) => value % step === 0)) ?? 1
}
