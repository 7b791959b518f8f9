import { isWithinReach } from '../engine/clock/clock-control.js'

/** An instant as JSON shows it: ISO 8601 UTC; left out where it is undefined. */
export function instant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}

/** What an instant looks like, for error messages. */
export const INSTANT_FORM = 'an instant such as 2026-01-01T00:00:00Z, in the years 1 to 9999'

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Reads an instant in ISO 8601. One without an offset is in UTC.
 * @returns epoch milliseconds, or undefined where the value is no instant that a clock can show
 */
export function readInstant(value: unknown): number | undefined {
  const [text, day, offset] = (typeof value === 'string' && ISO.exec(value)) || []
  if (text === undefined || day === undefined || !isDay(day)) return undefined
  const at = Date.parse(text === day || offset !== undefined ? text : `${text}Z`)
  return isWithinReach(at) ? at : undefined
}

/** Date.parse reads the 30th of February as the 2nd of March. */
function isDay(day: string): boolean {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}
