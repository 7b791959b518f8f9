import { normalCdf } from './normal.js'

/**
 * The probability that a chi-square value is at least as large as this one.
 * @param freedom the degrees of freedom
 * @see Wilson and Hilferty, "The Distribution of Chi-Square", 1931
 */
export function chiSquareTail(value: number, freedom: number): number {
  if (freedom <= 0) return 1
  const spread = 2 / (9 * freedom)
  return 1 - normalCdf((Math.cbrt(Math.max(0, value) / freedom) - (1 - spread)) / Math.sqrt(spread))
}

/**
 * The probability of a Kolmogorov-Smirnov distance of at least this size between a distribution and a sample of it.
 * @param size the size of the sample; for two samples, the product of the sizes divided by their sum
 * @see Stephens, "Use of the Kolmogorov-Smirnov, Cramer-von Mises and Related Statistics", 1970
 */
export function kolmogorovTail(distance: number, size: number): number {
  const root = Math.sqrt(size)
  const lambda = (root + 0.12 + 0.11 / root) * distance
  if (lambda < 0.2) return 1
  let sum = 0
  for (let k = 1; k <= 100; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda)
  return Math.min(1, Math.max(0, sum))
}
