export const PERCENTILES = [50, 90, 95, 99, 100] as const
const ROWS = 10

/** How many values lie from one bound up to another. */
export interface Row {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** A percentile of sorted values, by nearest rank. */
export function percentile(sorted: Float64Array, rank: number): number {
  return valueAt(sorted, Math.ceil((rank / 100) * sorted.length))
}

/** The value with a number in the order, from 1; the nearest one where there is none with the number. */
export function valueAt(sorted: Float64Array, number: number): number {
  return sorted[Math.min(sorted.length, Math.max(1, number)) - 1] ?? 0
}

/** The usual percentiles by name: `p50` to `p100`. */
export function percentiles(sorted: Float64Array): Record<string, number> {
  return Object.fromEntries(PERCENTILES.map((rank) => [`p${rank}`, percentile(sorted, rank)]))
}

/** How values are spread, up to the 99th percentile; the rest would flatten the picture. */
export function histogram(sorted: Float64Array): Row[] {
  const [low, high] = [percentile(sorted, 0), percentile(sorted, 99)]
  if (high <= low) return []
  const counts = new Array<number>(ROWS).fill(0)
  const width = (high - low) / ROWS
  for (const value of sorted) {
    if (value <= high) {
      const row = Math.min(ROWS - 1, Math.floor((value - low) / width))
      counts[row] = (counts[row] ?? 0) + 1
    }
  }
  return counts.map((count, row) => ({ from: low + row * width, to: low + (row + 1) * width, count }))
}
