import { chiSquareTail } from './tails.js'

/**
 * The probability that groups of values have so different locations by chance.
 * @see Kruskal and Wallis, "Use of Ranks in One-Criterion Variance Analysis", 1952
 */
export function kruskalWallis(groups: readonly (readonly number[])[]): number {
  const values = groups.flatMap((group, index) => group.map((value) => ({ value, index })))
  const size = values.length
  values.sort((one, other) => one.value - other.value)
  const sums = groups.map(() => 0)
  let ties = 0
  for (let first = 0; first < size; ) {
    let next = first
    while (next < size && values[next]?.value === values[first]?.value) next++
    for (const { index } of values.slice(first, next))
      sums[index] = (sums[index] ?? 0) + (first + next + 1) / 2
    ties += (next - first) ** 3 - (next - first)
    first = next
  }
  const correction = 1 - ties / (size ** 3 - size)
  if (correction <= 0) return 1
  const squares = sums.reduce((sum, rank, index) => sum + rank ** 2 / (groups[index]?.length ?? 1), 0)
  const statistic = ((12 / (size * (size + 1))) * squares - 3 * (size + 1)) / correction
  return chiSquareTail(statistic, groups.length - 1)
}
