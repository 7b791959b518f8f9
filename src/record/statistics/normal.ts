/**
 * The standard normal distribution function, with a relative error below 2e-7.
 * @see Press et al., "Numerical Recipes", 2nd edition, 6.2: `erfcc`
 */
export function normalCdf(z: number): number {
  return z < 0 ? upperTail(-z) : 1 - upperTail(z)
}

/** The 95th percentile of the standard normal distribution. */
export const Z_95_ONE_SIDED = 1.6448536269514722

/** The probability that a standard normal value is at least this far from zero. */
export function normalTail(z: number): number {
  return Math.min(1, 2 * upperTail(Math.abs(z)))
}

const COEFFICIENTS = [
  0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
  1.00002368, -1.26551223,
]

function upperTail(z: number): number {
  const x = z / Math.SQRT2
  const t = 1 / (1 + x / 2)
  const sum = COEFFICIENTS.reduce((total, coefficient) => total * t + coefficient, 0)
  return (t * Math.exp(-x * x + sum)) / 2
}
