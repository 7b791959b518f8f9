import type { Span, TimeRange } from './time-range.js'

/** When tasks started and ended, each in ascending order, in epoch milliseconds. */
interface Runs {
  readonly starts: Float64Array
  readonly ends: Float64Array
}

/** The times at which tasks started and ended. */
export function runsOf(spans: readonly Span[]): Runs {
  const starts = spans.flatMap(({ started }) => started ?? [])
  const ends = spans.flatMap(({ started, ended }) => (started === undefined ? [] : (ended ?? [])))
  return { starts: Float64Array.from(starts).sort(), ends: Float64Array.from(ends).sort() }
}

/** The largest number of tasks that ran at once in each of `columns` equal parts of a range, until `now`. */
export function runningIn(
  { starts, ends }: Runs,
  { from, to }: TimeRange,
  columns: number,
  now: number,
): number[] {
  const most: number[] = []
  const width = (to - from) / columns
  let started = passed(starts, 0, from, false)
  let ended = passed(ends, 0, from, true)
  for (let column = 0; column < columns && from + column * width <= now; column++) {
    const until = column === columns - 1 ? to : from + (column + 1) * width
    let max = started - ended
    for (let at = starts[started]; at !== undefined && at <= until; at = starts[started]) {
      // A task that ends at this time leaves its place to this one.
      ended = passed(ends, ended, at, true)
      started += 1
      max = Math.max(max, started - ended)
    }
    ended = passed(ends, ended, until, true)
    most.push(max)
  }
  return most
}

/** The index of the first time after `at`, or at `at` unless `isInclusive`, from an index on. */
function passed(times: Float64Array, index: number, at: number, isInclusive: boolean): number {
  let next = index
  while ((times[next] ?? Infinity) < at || (isInclusive && times[next] === at)) next += 1
  return next
}
