import { writeDuration } from '../../engine/clock/durations.js'
import { durationsOf } from '../../engine/tasks/durations-of.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import { isTerminal, type Task } from '../../engine/tasks/task.js'
import { percentile } from '../../inspect/statistics.js'
import type { Bounds } from '../../scenario/model/bounds.js'
import type { Expectation } from '../../scenario/model/layer.js'
import { compareLists, compareShares } from './compare.js'

/**
 * Compares the ends of tasks with an expectation.
 * @param tasks one for each create request; undefined for a rejected request, which counts in the shares of outcomes
 * @returns the differences, one sentence each
 */
export function compareEnds(
  { outcomes = {}, errors = {}, queueing = {}, processing = {}, cost }: Expectation,
  tasks: readonly (Task | undefined)[],
): string[] {
  const ended = tasks.filter((task): task is Task => task !== undefined && isTerminal(task.status))
  const statuses = tasks.map((task) => task?.status)
  const codes = ended.flatMap(({ error }) => error?.code ?? [])
  const durations = ended.map((task) => durationsOf(task, Infinity))
  return [
    ...compareShares(outcomes, statuses),
    ...compareShares(errors, codes),
    ...comparePercentiles('queueing', queueing, sorted(durations.map(({ queued }) => queued))),
    ...comparePercentiles('processing', processing, sorted(durations.map(({ running }) => running))),
    ...(cost === undefined ? [] : compareCost(cost, ended)),
  ]
}

/** Compares the number of tasks with an expectation. */
export function compareCount({ tasks }: Expectation, count: number): string[] {
  if (typeof tasks !== 'object')
    return compareLists('tasks', tasks === undefined ? undefined : [tasks], [count])
  return isWithin(count, tasks) ? [] : [outside('tasks', tasks, count, String)]
}

function comparePercentiles(
  subject: string,
  expected: Readonly<Record<string, Bounds>>,
  values: Float64Array,
): string[] {
  return Object.entries(expected).flatMap(([name, bounds]) => {
    if (values.length === 0) return [`${subject}: expected ${name}, but no task ended`]
    const actual = percentile(values, Number(name.slice(1)))
    return isWithin(actual, bounds) ? [] : [outside(`${subject} ${name}`, bounds, actual, writeDuration)]
  })
}

function compareCost(bounds: Bounds, tasks: readonly Task[]): string[] {
  const costs = tasks.flatMap(({ status, cost = 0 }) => (status === 'succeeded' ? toDollars(cost) : []))
  if (costs.length === 0) return ['cost: expected a cost, but no task succeeded']
  const mean = costs.reduce((sum, each) => sum + each) / costs.length
  return isWithin(mean, bounds) ? [] : [outside('cost', bounds, mean, (dollars) => `$${dollars}`)]
}

function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort()
}

function isWithin(value: number, { min = -Infinity, max = Infinity }: Bounds): boolean {
  return value >= min && value <= max
}

function outside(
  subject: string,
  { min, max }: Bounds,
  actual: number,
  format: (value: number) => string,
): string {
  const range = [
    ...(min === undefined ? [] : [`at least ${format(min)}`]),
    ...(max === undefined ? [] : [`at most ${format(max)}`]),
  ]
  return `${subject}: expected ${range.join(' and ')}, got ${format(actual)}`
}
