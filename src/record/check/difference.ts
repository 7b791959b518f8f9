/** A difference between a scenario and a history. */
export interface Change {
  /** The id of a model; for a limit also the name of a kind, or `all models`. */
  readonly name: string
  readonly what:
    | 'delay'
    | 'queueing'
    | 'failures'
    | 'errors'
    | 'price'
    | 'limit'
    | 'new model'
    | 'missing model'
  /** The figures of the scenario, and those of the history. */
  readonly before: string
  readonly after: string
}

/** A possible change, and the probability of such a difference by chance; 0 if chance cannot explain it. */
export interface Test {
  readonly change: Change
  readonly p: number
}

/** How many tasks have each property. */
export type Counts = ReadonlyMap<string, number>

/** In a smaller cell, the distribution of the statistic is not known. */
const SMALLEST_EXPECTED = 5

/**
 * The probability that counts of two samples differ so much by chance: Pearson's test of homogeneity. Merges rare
 * properties.
 * @see Pearson, "On the Criterion that a Given System of Deviations...", 1900
 */
export function chanceOfDifference(one: Counts, other: Counts): number {
  const [n, m] = [total(one), total(other)]
  if (n === 0 || m === 0) return 1
  const rows: [number, number][] = []
  const rare: [number, number] = [0, 0]
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [a, b] = [one.get(name) ?? 0, other.get(name) ?? 0]
    if (((a + b) * Math.min(n, m)) / (n + m) >= SMALLEST_EXPECTED) rows.push([a, b])
    else {
      rare[0] += a
      rare[1] += b
    }
  }
  if (rare[0] + rare[1] > 0) rows.push(rare)
  const square = rows.reduce((sum, [a, b]) => {
    const [expectedA, expectedB] = [((a + b) * n) / (n + m), ((a + b) * m) / (n + m)]
    return sum + (a - expectedA) ** 2 / expectedA + (b - expectedB) ** 2 / expectedB
  }, 0)
  return chiSquareTail(square, rows.length - 1)
}

function total(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

/**
 * The probability that a chi-square value is at least as large as this one.
 * @param freedom the degrees of freedom
 * @see Wilson and Hilferty, "The Distribution of Chi-Square", 1931
 */
function chiSquareTail(value: number, freedom: number): number {
  if (freedom <= 0) return 1
  const spread = 2 / (9 * freedom)
  return normalTail((Math.cbrt(value / freedom) - (1 - spread)) / Math.sqrt(spread))
}

const COEFFICIENTS = [
  0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
  1.00002368, -1.26551223,
]

/**
 * The probability that a standard normal value is at least as large as this one, with a relative error below 2e-7.
 * @see Press et al., "Numerical Recipes", 2nd edition, 6.2: `erfcc`
 */
function normalTail(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + x / 2)
  const sum = COEFFICIENTS.reduce((total, coefficient) => total * t + coefficient, 0)
  const tail = (t * Math.exp(-x * x + sum)) / 2
  return z < 0 ? 1 - tail : tail
}
