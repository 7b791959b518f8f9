import { refusalSummary } from '../requests/decision-label.js'
import type { RequestBrief } from '../requests/request-brief.js'
import { placeOf, type TimeRange } from './time-range.js'

/** Create requests that were refused at about the same time. */
export interface RefusedMark {
  /** The place in the time range, from 0 to 1. */
  readonly place: number
  /** The ids of the requests, newest first. */
  readonly ids: readonly string[]
  /** How many were refused, and why. */
  readonly label: string
}

/** Marks closer together than this share of the time range are combined. */
const SLOTS = 24

/** Whether a request should create a task. */
export function isCreation({ operation }: RequestBrief): boolean {
  return operation === 'tasks.create'
}

/** The marks of refused requests in a time range. */
export function refusedMarks(refused: readonly RequestBrief[], range: TimeRange): RefusedMark[] {
  const slots = new Map<number, RequestBrief[]>()
  for (const request of refused) {
    const at = Date.parse(request.at)
    if (at < range.from || at > range.to) continue
    const slot = Math.floor(placeOf(at, range) * SLOTS)
    slots.set(slot, [...(slots.get(slot) ?? []), request])
  }
  return [...slots.values()].map((requests) => ({
    place: placeOf(Date.parse(requests.at(-1)?.at ?? ''), range),
    ids: requests.map(({ id }) => id),
    label: refusalSummary(requests),
  }))
}
