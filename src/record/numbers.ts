/** A whole number with separators: `12,345`. */
export function countText(count: number): string {
  return count.toLocaleString('en')
}

/** A number of things: `1 task`, `12,345 tasks`. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${count === 1 ? noun : `${noun}s`}`
}

/** Says that a sample is too small: `1 cost is too few`. */
export function tooFewText(count: number, noun: string): string {
  return `${counted(count, noun)} ${count === 1 ? 'is' : 'are'} too few`
}

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

/** The part of its 95 % interval within which a rate is rounded. */
const ROUNDING = 0.1

/** A rate with few decimals. @param interval its 95 % interval */
export function roundRate(rate: number, [low, high]: readonly [number, number]): number {
  return roundestBetween(rate - ROUNDING * (rate - low), rate + ROUNDING * (high - rate))
}
