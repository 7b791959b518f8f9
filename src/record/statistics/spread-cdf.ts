import { LONGEST_DURATION } from '../../engine/clock/durations.js'
import type { Bounds } from '../../scenario/model/bounds.js'
import type { Spread } from '../../scenario/model/delay.js'
import { normalCdf, Z_95_ONE_SIDED } from './normal.js'

/** A distribution function: the probability of a value up to `x`, in milliseconds. */
export type Cdf = (x: number) => number

/** The distribution function of a delay. */
export function cdfOf(spread: Spread): Cdf {
  if (typeof spread === 'number') return (x) => (x >= spread ? 1 : 0)
  const cdf = unbounded(spread)
  if ('percentiles' in spread) return cdf
  const { min = 0, max = Infinity }: Bounds = spread
  return (x) => (x < min ? 0 : x >= max ? 1 : cdf(x))
}

function unbounded(spread: Exclude<Spread, number>): Cdf {
  if ('percentiles' in spread) return interpolated(spread.percentiles)
  if ('median' in spread)
    return lognormal(Math.log(spread.median), Math.log(spread.p95 / spread.median) / Z_95_ONE_SIDED)
  if ('mu' in spread) return lognormal(spread.mu + Math.log(1_000), spread.sigma)
  if ('stddev' in spread) return (x) => normalCdf((x - spread.mean) / spread.stddev)
  if ('mean' in spread) return (x) => -Math.expm1(-Math.max(0, x) / spread.mean)
  const { min, max } = spread
  return (x) => Math.min(1, Math.max(0, (x - min) / (max - min)))
}

function lognormal(mu: number, sigma: number): Cdf {
  if (sigma === 0) return (x) => (Math.log(x) >= mu ? 1 : 0)
  return (x) => (x <= 0 ? 0 : normalCdf((Math.log(x) - mu) / sigma))
}

/** The inverse of the linear interpolation between percentiles. */
function interpolated(percentiles: Readonly<Record<string, number>>): Cdf {
  const points = Object.entries(percentiles)
    .map(([name, delay]) => ({ share: Number(name.slice(1)) / 100, delay }))
    .sort((a, b) => a.share - b.share)
  return (x) => {
    const above = points.findIndex(({ delay }) => delay > x)
    const [low, high] = [points[above - 1], points[above]]
    if (above === -1) return 1
    if (low === undefined || high === undefined) return 0
    return low.share + ((high.share - low.share) * (x - low.delay)) / (high.delay - low.delay)
  }
}

const STEPS = 60

/** The delay that a share of delays does not exceed, in milliseconds. */
export function quantileOf(spread: Spread, share: number): number {
  const cdf = cdfOf(spread)
  let [low, high] = [0, LONGEST_DURATION]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (cdf(middle) < share) low = middle
    else high = middle
  }
  return high
}
