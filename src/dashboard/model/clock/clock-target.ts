import { dayTime, duration } from '../format.js'

/** The time to which the clock will be advanced, or why there is none. */
export type ClockTarget =
  | { readonly at: number; readonly text: string }
  | { readonly at: undefined; readonly text: string }

const UNITS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  min: 60_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
}
const PART = /(\d+(?:\.\d+)?)\s*(d|h|min|ms|m|s)/g
const OFFSET = /^\+?\s*(?:\d+(?:\.\d+)?\s*(?:d|h|min|ms|m|s)\s*)+$/
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?Z?$/
const DAY = 86_400_000
/** The clock has years of four digits. */
const LATEST = Date.UTC(10_000, 0)

/**
 * Reads where to advance the clock: an offset such as `+2h`, a time of day, or a date and a time in UTC.
 * @param now epoch milliseconds
 */
export function readTarget(text: string, now: number): ClockTarget {
  const trimmed = text.trim()
  if (trimmed === '') return { at: undefined, text: 'Enter an offset, a time or a date, in UTC.' }
  const at = offset(trimmed, now) ?? timeOfDay(trimmed, now) ?? date(trimmed)
  if (at === undefined || !(at < LATEST))
    return { at: undefined, text: 'Enter an offset such as +2h, a time such as 14:30, or a date.' }
  if (at < now) return { at: undefined, text: `That is ${duration(now - at)} ago. Time only moves forward.` }
  return { at, text: `${duration(at - now)} forward, to ${dayTime(at, '')} UTC` }
}

function offset(text: string, now: number): number | undefined {
  if (!OFFSET.test(text)) return undefined
  const parts = [...text.matchAll(PART)].map(([, amount, unit]) => Number(amount) * (UNITS[unit ?? ''] ?? 0))
  return Math.round(now + parts.reduce((sum, part) => sum + part, 0))
}

/** The next time at which a clock shows the time of day. */
function timeOfDay(text: string, now: number): number | undefined {
  const [, hours, minutes, seconds = 0] = TIME.exec(text) ?? []
  if (hours === undefined) return undefined
  const sinceMidnight = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  const today = Math.floor(now / DAY) * DAY + sinceMidnight
  return today >= now ? today : today + DAY
}

function date(text: string): number | undefined {
  if (!DATE.test(text)) return undefined
  const at = Date.parse(`${text.replace(/Z$/, '').replace(' ', 'T')}${text.length > 11 ? 'Z' : ''}`)
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10))
  return isReal ? at : undefined
}
