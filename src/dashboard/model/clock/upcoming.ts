import type { UpcomingEventShape } from '../../../control/shapes.js'
import { duration } from '../format.js'

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

/** When and what will happen, such as `in 3 min 20 s: webhook of task_12`. */
export function describeUpcoming(event: UpcomingEventShape, now: number): string {
  return `${waitUntil(event.at, now)}: ${nameOf(event)}`
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
