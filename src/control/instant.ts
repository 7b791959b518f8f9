import { isSupportedInstant } from '../engine/clock/instants.js'

/** The expected form of an instant, for error messages. */
export const INSTANT_FORM = 'an instant such as 2026-01-01T00:00:00Z, in the years 1 to 9999'

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Parses an instant in ISO 8601; UTC unless it has an offset.
 * @returns epoch milliseconds, or undefined if the value is not an instant that a clock supports
 */
export function readInstant(value: unknown): number | undefined {
  const [text, day, offset] = (typeof value === 'string' && ISO.exec(value)) || []
  if (text === undefined || day === undefined || !isDay(day)) return undefined
  const at = Date.parse(text === day || offset !== undefined ? text : `${text}Z`)
  return isSupportedInstant(at) ? at : undefined
}

/** `Date.parse` accepts February 30 and returns March 2. */
function isDay(day: string): boolean {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}
