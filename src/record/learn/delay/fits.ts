import type { Spread } from '../../../scenario/model/delay.js'
import { Z_95_ONE_SIDED } from '../../statistics/normal.js'
import { roundestBetween } from '../../statistics/round-number.js'
import { cdfOf } from '../../statistics/spread-cdf.js'
import { kolmogorovTail } from '../../statistics/tails.js'

/** A distribution that fits a sample. */
export interface Fit {
  readonly spread: Spread
  /** The logarithm of the likelihood per value; more is better. */
  readonly likelihood: number
}

/** Parameters are rounded within this part of their standard error. */
const ROUNDING = 0.25
/** The probability that a true distribution is rejected. */
const SIGNIFICANCE = 0.05
/** Critical values at this significance if the parameters come from the sample. */
const LILLIEFORS = { lognormal: 0.895, exponential: 1.094 }

/**
 * A uniform distribution, if the sample may come from one. Between its extremes, a sample is uniform as well.
 * @param sorted milliseconds
 * @param step the smallest difference between two values: the resolution of the times
 */
export function fitUniform(sorted: Float64Array, step: number): Fit | undefined {
  const size = sorted.length
  const [low, high] = [sorted[0] ?? 0, sorted[size - 1] ?? 0]
  const inner = sorted.subarray(1, size - 1)
  const distance = distanceOf(inner, cdfOf({ min: low, max: high }), step)
  if (kolmogorovTail(distance, inner.length) < SIGNIFICANCE) return undefined
  const beyond = (high - low) / (size - 1)
  return {
    spread: {
      min: roundMilliseconds(Math.max(0, low - 2 * beyond), low),
      max: roundMilliseconds(high, high + 2 * beyond),
    },
    likelihood: -Math.log(high - low),
  }
}

/**
 * An exponential distribution, if the sample may come from one.
 * @see Lilliefors, "On the Kolmogorov-Smirnov Test for the Exponential Distribution with Mean Unknown", 1969
 * @see Stephens, "EDF Statistics for Goodness of Fit and Some Comparisons", 1974, for the critical value
 */
export function fitExponential(sorted: Float64Array, step: number): Fit | undefined {
  const size = sorted.length
  const mean = sorted.reduce((sum, value) => sum + value, 0) / size
  const root = Math.sqrt(size)
  const distance = distanceOf(sorted, cdfOf({ mean }), step)
  if ((distance - 0.2 / size) * (root + 0.26 + 0.5 / root) > LILLIEFORS.exponential) return undefined
  return { spread: { mean: rounded(mean, mean / root) }, likelihood: -Math.log(mean) - 1 }
}

/**
 * A lognormal distribution, if the sample may come from one.
 * @see Lilliefors, "On the Kolmogorov-Smirnov Test for Normality with Mean and Variance Unknown", 1967
 * @see Stephens, 1974, for the critical value
 */
export function fitLognormal(sorted: Float64Array, step: number): Fit | undefined {
  const size = sorted.length
  if ((sorted[0] ?? 0) <= 0) return undefined
  const mu = sorted.reduce((sum, value) => sum + Math.log(value), 0) / size
  const variance = sorted.reduce((sum, value) => sum + (Math.log(value) - mu) ** 2, 0) / (size - 1)
  const [sigma, root] = [Math.sqrt(variance), Math.sqrt(size)]
  const [median, p95] = [Math.exp(mu), Math.exp(mu + Z_95_ONE_SIDED * sigma)]
  const distance = distanceOf(sorted, cdfOf({ median, p95 }), step)
  if (distance * (root - 0.01 + 0.85 / root) > LILLIEFORS.lognormal) return undefined
  const error = (sigma / root) * Math.sqrt(1 + Z_95_ONE_SIDED ** 2 / 2)
  return {
    spread: { median: rounded(median, (median * sigma) / root), p95: rounded(p95, p95 * error) },
    likelihood: -mu - Math.log(sigma) - 0.5 * Math.log(2 * Math.PI) - 0.5,
  }
}

/** The Kolmogorov-Smirnov distance of a sample whose values were rounded to `step`. */
function distanceOf(sorted: Float64Array, cdf: (x: number) => number, step: number): number {
  let largest = 0
  for (let first = 0; first < sorted.length; ) {
    const value = sorted[first] ?? 0
    let next = first + 1
    while (next < sorted.length && sorted[next] === value) next++
    const above = next / sorted.length - cdf(value + step / 2)
    const below = cdf(value - step / 2) - first / sorted.length
    largest = Math.max(largest, above, below)
    first = next
  }
  return largest
}

function rounded(milliseconds: number, error: number): number {
  const within = ROUNDING * error
  return roundMilliseconds(milliseconds - within, milliseconds + within)
}

/** A time between two bounds, in whole milliseconds, with few digits as seconds. */
export function roundMilliseconds(low: number, high: number): number {
  return Math.max(0, Math.round(roundestBetween(low / 1_000, high / 1_000) * 1_000))
}
