/** Something that was seen, in milliseconds on some steady clock. */
export interface Sighting {
  readonly at: number
  readonly status: number
}

/** How many answers there were in each second, the oldest first, and how many of them were refusals or failures. */
export function perSecond(
  seen: readonly Sighting[],
  now: number,
  seconds: number,
): { total: number; failed: number }[] {
  const buckets = Array.from({ length: seconds }, () => ({ total: 0, failed: 0 }))
  for (let index = seen.length - 1; index >= 0; index--) {
    const { at, status } = seen[index] as Sighting
    const age = Math.floor((now - at) / 1_000)
    if (age >= seconds) break
    const bucket = buckets[seconds - 1 - Math.max(0, age)]
    if (bucket === undefined) continue
    bucket.total += 1
    if (status === 0 || status >= 400) bucket.failed += 1
  }
  return buckets
}

/** Points of a sum that grows over time, as many as are asked for, with the first at the first change. */
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
