const MOST_DECIMALS = 12

/** The number between two bounds with the fewest decimals, and among these the one nearest to the middle. */
export function roundestBetween(low: number, high: number): number {
  const middle = (low + high) / 2
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    const rounded = Number(middle.toFixed(decimals))
    if (rounded >= low && rounded <= high) return rounded
  }
  return middle
}

/** A time between two bounds, in whole milliseconds, with few digits as seconds. */
export function roundMilliseconds(low: number, high: number): number {
  return Math.max(0, Math.round(roundestBetween(low / 1_000, high / 1_000) * 1_000))
}
