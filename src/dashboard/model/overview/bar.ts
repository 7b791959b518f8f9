import { duration } from '../format.js'
import { fractionOf, type Span, type TimeRange } from './time-range.js'

/** A part of a bar: its start and its length as shares of the time range. */
interface Piece {
  readonly start: number
  readonly length: number
}

/** The bar of a task in a time range. */
export interface Bar {
  readonly queued: Piece | undefined
  readonly processing: Piece | undefined
  /** The place of the mark of its state. */
  readonly end: number
}

/** Whether a task was queued or running in a time range. */
export function overlaps({ created, ended = Infinity }: Span, { from, to }: TimeRange): boolean {
  return created <= to && ended >= from
}

/** Lays out the bar of a task. */
export function barOf({ created, started, ended }: Span, range: TimeRange, now: number): Bar {
  const end = ended ?? Math.max(now, created)
  const piece = (from: number, to: number): Piece | undefined => {
    if (to < range.from || from > range.to) return undefined
    const start = fractionOf(from, range)
    return { start, length: fractionOf(to, range) - start }
  }
  const left = started ?? end
  return {
    queued: left > created ? piece(created, left) : undefined,
    processing: started === undefined ? undefined : piece(started, end),
    end: fractionOf(end, range),
  }
}

/** Says how long a task was queued and processed, such as `queued 1 s, processing 3.4 s`. */
export function stagesOf({ created, started, ended }: Span, now: number): string {
  const end = ended ?? now
  const left = started ?? end
  return [
    left > created && `queued ${duration(left - created)}`,
    started !== undefined && `processing ${duration(Math.max(0, end - started))}`,
  ]
    .filter(Boolean)
    .join(', ')
}
