/** Two samples to compare, such as the times of tasks that waited and of tasks that did not. */
export interface Pair {
  readonly one: readonly number[]
  readonly other: readonly number[]
}

/**
 * Tests whether the values of `one` are larger than those of `other`, over several pairs that are compared separately.
 * @returns a value that is standard normal if there is no difference; positive if `one` is larger
 * @see van Elteren, "On the Combination of Independent Two-Sample Tests of Wilcoxon", 1960
 */
export function rankTest(pairs: readonly Pair[]): number {
  let [excess, variance] = [0, 0]
  for (const { one, other } of pairs) {
    const [n, m] = [one.length, other.length]
    if (n === 0 || m === 0) continue
    const { sum, ties } = rankSum(one, other)
    const weight = 1 / (n + m + 1)
    excess += weight * (sum - (n * (n + m + 1)) / 2)
    variance += weight ** 2 * ((n * m) / 12) * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
  }
  return variance === 0 ? 0 : excess / Math.sqrt(variance)
}

/** The sum of the ranks of the first sample among all values, and the correction of the variance for ties. */
function rankSum(one: readonly number[], other: readonly number[]): { sum: number; ties: number } {
  const values = [...one.map((value) => ({ value, own: 1 })), ...other.map((value) => ({ value, own: 0 }))]
  values.sort((a, b) => a.value - b.value)
  let [sum, ties] = [0, 0]
  for (let first = 0; first < values.length; ) {
    let next = first
    let own = 0
    while (next < values.length && values[next]?.value === values[first]?.value)
      own += values[next++]?.own ?? 0
    const size = next - first
    sum += own * (first + (size + 1) / 2)
    ties += size ** 3 - size
    first = next
  }
  return { sum, ties }
}
