import type { UpcomingEventShape } from '../../control/shapes.js'
import { dayTime, duration, fromZone, inZone, zoneName } from './format.js'

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
 * Reads where to advance the clock: an offset such as `+2h`, a time of day, or a date and a time, in the zone of the page.
 * @param now epoch milliseconds
 */
export function readTarget(text: string, now: number): ClockTarget {
  const trimmed = text.trim()
  if (trimmed === '') return { at: undefined, text: `Enter an offset, a time or a date, in ${zoneName()}.` }
  const at = readOffset(trimmed, now) ?? timeOfDay(trimmed, now) ?? date(trimmed)
  if (at === undefined || !(at < LATEST))
    return { at: undefined, text: 'Enter an offset such as +2h, a time such as 14:30, or a date.' }
  if (at < now) return { at: undefined, text: `That is ${duration(now - at)} ago. Time only moves forward.` }
  return { at, text: `${duration(at - now)} forward, to ${dayTime(at, '')} ${zoneName()}` }
}

/** The time after an offset such as `+2h` or `1h 30m`; undefined if the text is not one. */
export function readOffset(text: string, now: number): number | undefined {
  if (!OFFSET.test(text)) return undefined
  const parts = [...text.matchAll(PART)].map(([, amount, unit]) => Number(amount) * (UNITS[unit ?? ''] ?? 0))
  return Math.round(now + parts.reduce((sum, part) => sum + part, 0))
}

/** The next time at which a clock shows the time of day. */
function timeOfDay(text: string, now: number): number | undefined {
  const [, hours, minutes, seconds = 0] = TIME.exec(text) ?? []
  if (hours === undefined) return undefined
  const sinceMidnight = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  const today = Math.floor(inZone(now) / DAY) * DAY + sinceMidnight
  return fromZone(today >= inZone(now) ? today : today + DAY)
}

function date(text: string): number | undefined {
  if (!DATE.test(text)) return undefined
  const at = Date.parse(`${text.replace(/Z$/, '').replace(' ', 'T')}${text.length > 11 ? 'Z' : ''}`)
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10))
  return !isReal ? undefined : text.endsWith('Z') ? at : fromZone(at)
}

const SHOWN = 14

/** What will happen, such as `webhook of task_12`. */
export function nameOf({ what, task_id: task = '' }: UpcomingEventShape): string {
  const id = task.length > SHOWN ? `${task.slice(0, SHOWN - 1)}…` : task
  switch (what) {
    case 'task_start':
      return `start of ${id}`
    case 'task_end':
      return `end of ${id}`
    case 'webhook':
      return `webhook of ${id}`
    case 'url_expiry':
      return `URLs of ${id} expire`
    case 'other':
      return 'a delayed answer or a timer'
  }
}

/** How long until an instant in ISO 8601, such as `in 3 min 20 s`. */
export function waitUntil(at: string, now: number): string {
  const wait = Date.parse(at) - now
  return wait <= 0 ? 'now' : `in ${duration(wait)}`
}

/** An event, unless its time has passed. */
export function unlessPassed(
  event: UpcomingEventShape | undefined,
  now: number,
): UpcomingEventShape | undefined {
  return event !== undefined && Date.parse(event.at) > now ? event : undefined
}
