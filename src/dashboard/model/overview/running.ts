import type { CapacityLimitShape } from '../../../control/shapes.js'
import type { Span, TimeRange } from './time-range.js'

/** When tasks started and ended, each in ascending order, in epoch milliseconds. */
interface Runs {
  readonly starts: Float64Array
  readonly ends: Float64Array
}

/** A time in which as many tasks ran as a limit allows, as shares of the time range. */
export interface LimitReached {
  readonly start: number
  readonly length: number
  readonly label: string
}

/** The tasks that share one limit. */
interface Pool {
  readonly label: string
  readonly running: number
  readonly runs: Runs
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

/** The times in which a limit made further tasks wait, or refused them. */
export function limitsReached(
  pools: readonly Pool[],
  range: TimeRange,
  columns: number,
  now: number,
): LimitReached[] {
  return pools.flatMap(({ label, running, runs }) => {
    const found: LimitReached[] = []
    const most = runningIn(runs, range, columns, now)
    for (let column = 0; column < most.length; column++) {
      const first = column
      while ((most[column] ?? -1) >= running) column += 1
      if (column > first) found.push({ start: first / columns, length: (column - first) / columns, label })
    }
    return found
  })
}

/** The pools that limit the tasks, as the simulator forms them: one for each kind, model or key with a limit. */
export function poolsOf(spans: readonly Span[], limits: readonly CapacityLimitShape[]): Pool[] {
  const members = new Map<string, { running: number; spans: Span[] }>()
  const limitsOf = rememberedLimits(limits)
  for (const span of spans)
    for (const { label, running } of limitsOf(span)) {
      const pool = members.get(label)
      if (pool === undefined) members.set(label, { running, spans: [span] })
      else pool.spans.push(span)
    }
  return [...members].map(([label, pool]) => ({ label, running: pool.running, runs: runsOf(pool.spans) }))
}

type OwnLimit = Pick<Pool, 'label' | 'running'>

/** Finds the limits of tasks. Thousands of tasks have few kinds, models and keys. */
function rememberedLimits(limits: readonly CapacityLimitShape[]): (span: Span) => readonly OwnLimit[] {
  const known = new Map<string, readonly OwnLimit[]>()
  return (span) => {
    const { kind, model, key } = span.task
    const traits = `${kind} ${model} ${key}`
    const own = known.get(traits) ?? limitsFor(span, limits)
    known.set(traits, own)
    return own
  }
}

/** The limits of a task: one per scope, and an exact name before a pattern. */
function limitsFor({ task }: Span, limits: readonly CapacityLimitShape[]): OwnLimit[] {
  const names = { everything: '', kind: task.kind, model: task.model, key: task.key }
  return (['everything', 'kind', 'model', 'key'] as const).flatMap((scope) => {
    const own = names[scope]
    const inScope = limits.filter((limit) => limit.scope === scope)
    const limit = inScope.find(({ name }) => name === own) ?? inScope.find(({ name }) => fits(name, own))
    if (limit === undefined) return []
    const { running } = limit
    return [
      {
        running,
        label: scope === 'everything' ? `${running} running` : `${running} running of ${scope} ${own}`,
      },
    ]
  })
}

/** Whether a text fits a pattern, in which `*` stands for any text. */
function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0 || !text.startsWith(first) || !text.endsWith(rest.at(-1) ?? '')) return false
  let position = first.length
  for (const part of rest) {
    const found = text.indexOf(part, position)
    if (found === -1) return false
    position = found + part.length
  }
  return true
}
