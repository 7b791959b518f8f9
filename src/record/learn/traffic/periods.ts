const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** The periods of rate limits that services use, in milliseconds, the shortest first. */
export const PERIODS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR),
]

/** How far the times of headers may be off: services round them to seconds. */
export const PRECISION = 1_100
