/** A response with its time, in milliseconds of a monotonic clock. */
export interface TimedStatus {
  readonly at: number
  readonly status: number
}

/** The number of responses and of errors in each second, oldest first. */
export function perSecond(
  responses: readonly TimedStatus[],
  now: number,
  seconds: number,
): { total: number; failed: number }[] {
  const buckets = Array.from({ length: seconds }, () => ({ total: 0, failed: 0 }))
  for (let index = responses.length - 1; index >= 0; index--) {
    const { at, status } = responses[index] as TimedStatus
    const age = Math.floor((now - at) / 1_000)
    if (age >= seconds) break
    const bucket = buckets[seconds - 1 - Math.max(0, age)]
    if (bucket === undefined) continue
    bucket.total += 1
    if (status === 0 || status >= 400) bucket.failed += 1
  }
  return buckets
}

/** Samples a running total at evenly spaced times from the first change to the last. */
export function growth(
  changes: readonly { readonly at: number; readonly amount: number }[],
  points: number,
): { at: number; sum: number }[] {
  const sorted = [...changes].sort((a, b) => a.at - b.at)
  const [first, last] = [sorted[0]?.at ?? 0, sorted.at(-1)?.at ?? 0]
  const width = Math.max(1, last - first) / points
  let [sum, next] = [0, 0]
  return Array.from({ length: points }, (_, index) => {
    const until = index === points - 1 ? last : first + (index + 1) * width
    for (let change = sorted[next]; change !== undefined && change.at <= until; change = sorted[next]) {
      sum += change.amount
      next += 1
    }
    return { at: until, sum }
  })
}
