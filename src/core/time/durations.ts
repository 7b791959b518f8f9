import { UsageError } from '../errors.js'

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
/** A duration in text: how much, and of what. */
export const DURATION_PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** A hundred years, in milliseconds: nothing that is simulated takes longer. */
export const LONGEST_DURATION = 100 * 365 * UNITS.d

/** What a duration looks like, for error messages and schema descriptions. */
export const DURATION_FORM = 'a duration such as 250ms, 3s, 5m, 24h or 30d'

/** A length of time: a string such as `250ms`, `3s`, `5m`, `24h`, `30d`, or a number of milliseconds. */
export type Duration = string | number

/**
 * Reads a duration written as a number and a unit.
 * @returns milliseconds, or undefined where the text is no duration of at most 100 years
 */
export function readDuration(text: string): number | undefined {
  const [, amount, unit] = DURATION_PATTERN.exec(text.trim()) ?? []
  if (amount === undefined) return undefined
  const milliseconds = Math.round(Number(amount) * UNITS[unit as keyof typeof UNITS])
  return milliseconds <= LONGEST_DURATION ? milliseconds : undefined
}

/**
 * The milliseconds of a duration given in code.
 * @throws UsageError where it is negative, endless or not a duration
 */
export function toMilliseconds(duration: Duration): number {
  const milliseconds = typeof duration === 'number' ? duration : readDuration(duration)
  if (milliseconds === undefined || !(milliseconds >= 0 && milliseconds <= LONGEST_DURATION)) {
    throw new UsageError(
      `Expected ${DURATION_FORM}, or milliseconds from 0 up, got ${JSON.stringify(duration)}`,
    )
  }
  return milliseconds
}
