import type { TaskBriefShape } from '../../../control/shapes.js'
import { clockTime, day, fromZone, instant, inZone } from '../format.js'
import { ticksFor } from '../timeline/timeline-layout.js'

/** A part of the simulator's time, in epoch milliseconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The ranges to choose from, each with its length in milliseconds. */
export const RANGES = { '1 min': 60_000, '10 min': 600_000, '1 h': 3_600_000, All: Infinity } as const

export type RangeName = keyof typeof RANGES

/** The number of the latest tasks that the chosen range shows, if there are as many. */
const ENOUGH = 8
const MIN_LENGTH = 2_000
const DAY = 86_400_000

/** The shortest range that shows the latest tasks. */
export function fittingRange(newestFirst: readonly Span[], now: number): RangeName {
  const ages = newestFirst.slice(0, ENOUGH).map(({ created }) => now - created)
  const [youngest = 0, oldest = 0] = [ages[0], ages.at(-1)]
  const shortest = (age: number) => (Object.keys(RANGES) as RangeName[]).find((name) => RANGES[name] >= age)
  const fitting = shortest(oldest) ?? 'All'
  // Old tasks must not shrink new ones to dots.
  return fitting === 'All' && youngest < RANGES['1 h'] ? '1 h' : fitting
}

/** The times of a range. Every range but `All` follows the clock. */
export function timesOf(name: RangeName, spans: readonly Span[], now: number): TimeRange {
  if (name !== 'All') return { from: now - RANGES[name], to: now }
  let [from, to] = [Infinity, -Infinity]
  const include = (at: number) => {
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  for (const { created, ended = now } of spans) {
    include(created)
    include(ended)
  }
  if (from > to) return { from: now - MIN_LENGTH, to: now }
  return { from, to: Math.max(to, from + MIN_LENGTH) }
}

/** Where a time is in a range: 0 at its start, 1 at its end. */
export function fractionOf(at: number, { from, to }: TimeRange): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)))
}

/** The width for which the distance of ticks is chosen, in pixels. */
const USUAL_WIDTH = 480

/** Round times in a range, with their labels. */
export function ticksOf(range: TimeRange): { readonly at: number; readonly label: string }[] {
  const length = range.to - range.from
  const step = ticksFor(length, USUAL_WIDTH)[1] ?? length
  const first = fromZone(Math.ceil(inZone(range.from) / step) * step)
  const count = Math.floor((range.to - first) / step) + 1
  return Array.from({ length: count }, (_, index) => first + index * step).map((at) => ({
    at,
    label: tickLabel(at, step, length),
  }))
}

function tickLabel(at: number, step: number, length: number): string {
  if (step % DAY === 0) return day(at)
  if (length > DAY) return `${day(at).slice(5)} ${clockTime(at).slice(0, 5)}`
  return step % 60_000 === 0 ? clockTime(at).slice(0, 5) : clockTime(at)
}

/** A task with its times in epoch milliseconds. */
export interface Span {
  readonly id: string
  readonly task: TaskBriefShape
  readonly created: number
  readonly started: number | undefined
  readonly ended: number | undefined
}

/** Parsing thousands of times again for each change would take too long. A changed task is another object. */
const spans = new WeakMap<TaskBriefShape, Span>()

/** The times of a task. */
export function spanOf(task: TaskBriefShape): Span {
  const known = spans.get(task)
  if (known !== undefined) return known
  const span = {
    id: task.id,
    task,
    created: Date.parse(task.created_at),
    started: instant(task.started_at),
    ended: instant(task.completed_at),
  }
  spans.set(task, span)
  return span
}
