import { randomLogNormal, randomUniform } from 'd3-random'
import type { Random } from '../random.js'

/** How long a task is processed, in milliseconds: fixed, uniform between two bounds, or lognormal. */
export type Delay =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly p95: number }

/** The 95th percentile of the standard normal distribution. */
const Z_95 = 1.6448536269514722

/**
 * One delay, in whole milliseconds.
 * @param random is asked for only where there is something to draw
 */
export function drawDelay(delay: Delay, random: () => Random): number {
  if (typeof delay === 'number') return delay
  const stream = random()
  const source = () => stream.float()
  if ('min' in delay) return Math.round(randomUniform.source(source)(delay.min, delay.max)())
  const sigma = Math.log(delay.p95 / delay.median) / Z_95
  return Math.round(randomLogNormal.source(source)(Math.log(delay.median), sigma)())
}
