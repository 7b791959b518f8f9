import { dayTime, duration } from '../format.js'
import type { TimelineItem } from './timeline-layout.js'

/** The name and the times of a part of a timeline, as in its tooltip. */
export interface ItemText {
  readonly name: string
  /** The absolute times. */
  readonly when: string
  /** The times after the creation of the task. */
  readonly after: string
}

/**
 * Describes a part of a timeline.
 * @param created when the task was created
 * @param today the current date, which times leave out
 */
export function itemText({ label, count, from, to }: TimelineItem, created: number, today: string): ItemText {
  const [start, end] = [dayTime(from, today, true), dayTime(to, today, true)]
  const [first, last] = [duration(from - created), duration(to - created)]
  return {
    name: count === 1 ? label : `${count} × ${label}`,
    when: from === to ? start : `${start} to ${end}`,
    after: from === to ? `${first} after the creation` : `${first} to ${last} after the creation`,
  }
}
