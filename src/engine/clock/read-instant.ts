import { isSupportedInstant } from './instants.js'

/** The expected form of an instant, for error messages. */
export const INSTANT_FORM = 'an instant such as 2026-01-01T00:00:00Z, in the years 1 to 9999'

/** An instant: a Date, an ISO 8601 string (UTC unless it has an offset), or epoch milliseconds. */
export type Instant = Date | string | number

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Reads an instant that code has given: the same one on every machine, whatever its zone.
 * @returns whole epoch milliseconds, or undefined if the value is not an instant that a clock supports
 */
export function readInstant(value: unknown): number | undefined {
  if (typeof value !== 'number' && !isDate(value)) return readIsoInstant(value)
  const at = Math.trunc(Number(value))
  return isSupportedInstant(at) ? at : undefined
}

/**
 * Parses an instant in ISO 8601; UTC unless it has an offset.
 * @returns epoch milliseconds, or undefined if the value is not an instant that a clock supports
 */
export function readIsoInstant(value: unknown): number | undefined {
  const [text, day, offset] = (typeof value === 'string' && ISO.exec(value)) || []
  if (text === undefined || day === undefined || !isDay(day)) return undefined
  const at = Date.parse(text === day || offset !== undefined ? text : `${text}Z`)
  return isSupportedInstant(at) ? at : undefined
}

/** Also a Date of another realm, such as that of a test in Jest. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}

/** `Date.parse` accepts February 30 and returns March 2. */
function isDay(day: string): boolean {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}
