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
