import type { RequestBrief } from './request-filter.js'

/** In milliseconds. */
const BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, Infinity]

/** How many requests took up to each time, but longer than the one before. */
export function latencies(requests: readonly RequestBrief[]): { upTo: number; count: number }[] {
  const buckets = BOUNDS.map((upTo) => ({ upTo, count: 0 }))
  for (const { took_ms: took } of requests) {
    const bucket = buckets.find(({ upTo }) => took <= upTo)
    if (bucket !== undefined) bucket.count += 1
  }
  return buckets
}

/** Requests of one operation with the same answer. */
interface Answered extends Pick<RequestBrief, 'operation' | 'status' | 'delivered'> {
  readonly count: number
}

/** How often each operation had which answer, the most frequent first. */
export function answersOf(requests: readonly RequestBrief[]): Answered[] {
  const found = new Map<string, Answered>()
  for (const { operation = 'none', status, delivered } of requests) {
    const key = `${operation} ${status} ${delivered ? '' : 'lost'}`
    found.set(key, { operation, status, delivered, count: (found.get(key)?.count ?? 0) + 1 })
  }
  return [...found.values()].sort((a, b) => b.count - a.count)
}
