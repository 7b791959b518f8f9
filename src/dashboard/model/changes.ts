import type { EntryShape } from '../../control/shapes.js'
import { readOffset } from './clock.js'
import { duration } from './format.js'

/** A change of the scenario or of the clock. */
export interface Change {
  /** The number of its entry in the journal. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly what: 'scenario' | 'clock'
  /** Such as `scenario flaky` or `clock +1 h`. */
  readonly label: string
}

/** A shorter advance of the clock is a step, and not marked: tests make one after every request. */
const LEAST_JUMP = 60_000

/** The change that an entry of the journal reports; undefined if the page does not mark it. */
export function changeIn(entry: EntryShape): Change | undefined {
  if (entry.type !== 'control' || (entry.what !== 'scenario' && entry.what !== 'clock')) return undefined
  const { number, at, what, detail = 'changed' } = entry
  const jump = what === 'clock' ? readOffset(detail, 0) : undefined
  if (jump !== undefined && jump < LEAST_JUMP) return undefined
  const text = jump === undefined ? detail : `+${duration(jump)}`
  return { number, at: Date.parse(at), what, label: `${what} ${text}` }
}

/** Where something stands among the changes: by its number in the journal or, if that is not known, by its time. */
export interface Place {
  readonly number?: number | undefined
  readonly at: number
}

/** The changes between an item of a list and the next newer one, oldest first; all later ones above the newest item. */
export function changesAbove(changes: readonly Change[], item: Place, newer: Place | undefined): Change[] {
  return changes.filter(
    (change) => !isBefore(change, item) && (newer === undefined || isBefore(change, newer)),
  )
}

function isBefore(change: Change, { number, at }: Place): boolean {
  // What was created at the time of a change usually follows it, because the clock of a test stands still.
  return number === undefined ? change.at <= at : change.number < number
}
