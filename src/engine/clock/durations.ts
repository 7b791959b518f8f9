import { describeValue, UsageError } from '../errors.js'

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const

/**
 * The grammar of durations: numbers with the units d, h, m, s and ms, each at most once, the largest unit first,
 * without spaces: `250ms`, `1.5s`, `1h30m`.
 */
export const DURATION_PATTERN =
  /^(?=\d)(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/

/** A hundred years, in milliseconds. */
export const LONGEST_DURATION = 100 * 365 * UNITS.d

/** The form of a duration, for error messages and schema descriptions. */
export const DURATION_FORM = 'a duration such as 250ms, 3s, 5m, 1h30m or 30d'

/** A length of time: a string such as `250ms`, `3s`, `5m`, `1h30m`, `30d`, or a number of milliseconds. */
export type Duration = DurationText | number

/**
 * Reads a duration such as `3s` or `1h30m`.
 * @returns milliseconds, or undefined if the text is not a duration of at most 100 years
 */
export function readDuration(text: string): number | undefined {
  const match = DURATION_PATTERN.exec(text.trim())
  if (match === null) return undefined
  const parts = Object.values(UNITS).map((unit, index) => Number(match[index + 1] ?? 0) * unit)
  const milliseconds = Math.round(parts.reduce((sum, part) => sum + part))
  return milliseconds <= LONGEST_DURATION ? milliseconds : undefined
}

/**
 * The milliseconds of a duration given in code.
 * @throws UsageError if it is negative, infinite or not a duration
 */
export function toMilliseconds(duration: string | number): number {
  const milliseconds = typeof duration === 'string' ? readDuration(duration) : duration
  if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= LONGEST_DURATION)) {
    throw new UsageError(
      `Expected ${DURATION_FORM}, or milliseconds from 0 up, got ${describeValue(duration)}`,
    )
  }
  return milliseconds
}

/** Writes whole milliseconds in the largest unit that divides them, such as `3s` or `1500ms`. */
export function writeDuration(milliseconds: number): DurationText {
  if (milliseconds === 0) return '0s'
  const [unit, size] = Object.entries(UNITS).find(([, size]) => milliseconds % size === 0) ?? ['ms', 1]
  return `${milliseconds / size}${unit}` as DurationText
}

type Unit = 'd' | 'h' | 'm' | 's' | 'ms'

/** `bigint` does not allow spaces, unlike `number`. */
type Part<U extends Unit> = '' | `${bigint}${U}`

/** A `bigint` has no leading zeros, so up to two zeros after the point are spelled out. */
type Decimal = `${bigint}.${'' | '0' | '00'}${bigint}`

type Whole = Exclude<`${Part<'d'>}${Part<'h'>}${Part<'m'>}${Part<'s'>}${Part<'ms'>}`, ''>

type Fraction = `${Decimal}${Unit}` | `${Part<'d'>}${Part<'h'>}${Part<'m'>}${Decimal}s`

/**
 * A duration in text, such as `250ms`, `1.5s`, `5m`, `24h`, `30d` or `1h30m`: the parts are in the order of their
 * units, the largest first, without spaces.
 */
export type DurationText = Whole | Fraction
