import { LONGEST_DURATION } from '../clock/durations.js'
import type { Random } from '../random.js'

/** Inclusive bounds. A missing bound sets no limit. */
export interface Bounds {
  /** The lower bound. */
  readonly min?: number | undefined
  /** The upper bound. */
  readonly max?: number | undefined
}

/** A fixed duration or a distribution of durations, in milliseconds. */
export type Spread =
  | number
  | { readonly min: number; readonly max: number }
  | ({ readonly median: number; readonly p95: number } & Bounds)
  | ({ readonly mu: number; readonly sigma: number } & Bounds)
  | ({ readonly mean: number; readonly stddev: number } & Bounds)
  | ({ readonly mean: number } & Bounds)
  | { readonly percentiles: Readonly<Record<string, number>> }

/** How long processing takes: a duration, or the number of the poll at which the task ends. */
export type Delay = Spread | { readonly polls: number }

/** The 95th percentile of the standard normal distribution. */
const Z_95 = 1.6448536269514722

/**
 * Draws a delay in whole milliseconds.
 * @param random creates the random stream, only for a distribution
 */
export function drawDelay(spread: Spread, random: () => Random): number {
  if (typeof spread === 'number') return spread
  const { min = 0, max = LONGEST_DURATION }: Bounds = 'percentiles' in spread ? {} : spread
  return Math.round(Math.min(Math.max(draw(spread, random()), min), max))
}

function draw(spread: Exclude<Spread, number>, random: Random): number {
  if ('percentiles' in spread) return quantile(spread.percentiles, random.float() * 100)
  if ('median' in spread) {
    const sigma = Math.log(spread.p95 / spread.median) / Z_95
    return spread.median * Math.exp(sigma * standardNormal(random))
  }
  if ('mu' in spread) return 1_000 * Math.exp(spread.mu + spread.sigma * standardNormal(random))
  if ('stddev' in spread) return spread.mean + spread.stddev * standardNormal(random)
  if ('mean' in spread) return -spread.mean * Math.log1p(-random.float())
  return spread.min + (spread.max - spread.min) * random.float()
}

/** Draws from the standard normal distribution with Marsaglia's polar method. */
function standardNormal(random: Random): number {
  const x = 2 * random.float() - 1
  const y = 2 * random.float() - 1
  const square = x * x + y * y
  if (square === 0 || square >= 1) return standardNormal(random)
  return y * Math.sqrt((-2 * Math.log(square)) / square)
}

/** Interpolates linearly between the known percentiles; constant outside them. */
function quantile(percentiles: Readonly<Record<string, number>>, rank: number): number {
  const known = Object.entries(percentiles)
    .map(([name, delay]) => ({ rank: Number(name.slice(1)), delay }))
    .sort((a, b) => a.rank - b.rank)
  const above = known.findIndex((point) => point.rank >= rank)
  const [low, high] = [known[above - 1], known[above]]
  if (high === undefined) return known.at(-1)?.delay ?? 0
  if (low === undefined) return high.delay
  return low.delay + ((high.delay - low.delay) * (rank - low.rank)) / (high.rank - low.rank)
}
