import { Chance } from '../../engine/random.js'
import type { Failures } from '../../engine/scenario/behavior.js'
import type { Spread } from '../../engine/scenario/delay.js'
import { drawDelay } from '../../engine/scenario/delay.js'
import { percentile } from '../../inspect/statistics.js'
import { CONSTANT, MIN_SAMPLES } from '../learn/delay.js'
import type { Tally } from '../learn/histories.js'
import { failuresOf, type LearnedFailures } from '../learn/learn.js'
import { percentText, timeText } from '../scenario/comments.js'
import { type Change, type Counts, chanceOfDifference, type Test } from './difference.js'

const SHOWN = [50, 90, 99]
/** The percentiles between which values are counted. */
const EDGES = [25, 50, 75, 90]
/** How many delays are drawn from the scenario: so many that their own error does not matter. */
const DRAWN = 20_000

/**
 * Compares times with the distribution of a scenario: how many are between its percentiles.
 * @param sorted milliseconds
 * @param size of the sample from which the distribution was learned
 */
export function compareSpans(
  { name, what }: Pick<Change, 'name' | 'what'>,
  spread: Spread,
  sorted: Float64Array,
  size: number,
): Test[] {
  if (sorted.length < MIN_SAMPLES) return []
  const random = Chance.of('check').stream('delay')
  const drawn = Float64Array.from({ length: DRAWN }, () => drawDelay(spread, () => random)).sort()
  const edges = [...new Set(EDGES.map((rank) => percentile(drawn, rank)))]
  const text = (from: Float64Array) =>
    SHOWN.map((rank) => `p${rank} ${timeText(percentile(from, rank))}`).join(', ')
  return [
    {
      change: { name, what, before: text(drawn), after: text(sorted) },
      p: chanceOfDifference(scaled(countBetween(drawn, edges), size), countBetween(sorted, edges)),
    },
  ]
}

/** Counts values below, at and between some edges. */
function countBetween(values: Float64Array, edges: readonly number[]): Counts {
  const counts = new Map<string, number>()
  for (const value of values) {
    const at = edges.find((edge) => Math.abs(value - edge) <= Math.max(1, CONSTANT * edge))
    const cell = at === undefined ? `above ${edges.findLast((edge) => edge < value)}` : `at ${at}`
    counts.set(cell, (counts.get(cell) ?? 0) + 1)
  }
  return counts
}

/** Compares the failures of a model with those of a scenario. */
export function compareFailures(tally: Tally, { rate, errors = [] }: Failures, size: number): Test[] {
  const { succeeded, failed } = tally.counts
  const samples = succeeded + failed
  if (samples < MIN_SAMPLES) return []
  const found = failuresOf(tally.counts, tally.errors)
  const before = scaled(new Map(Object.entries({ failed: rate, succeeded: 1 - rate })), size)
  const share: Test = {
    change: {
      name: tally.name,
      what: 'failures',
      before: percentText(rate),
      after: `${percentText(found.rate)} of ${samples.toLocaleString('en')} tasks`,
    },
    p: chanceOfDifference(before, new Map(Object.entries({ failed, succeeded }))),
  }
  return errors.length === 0 ? [share] : [share, compareErrors(tally.name, errors, found)]
}

/** The scenario of a service with more errors does not list all of them. */
const ALL_ERRORS = 10

function compareErrors(name: string, errors: NonNullable<Failures['errors']>, found: LearnedFailures): Test {
  const before = new Map(errors.map(({ code, weight = 1 }) => [code, weight]))
  const after = new Map(found.errors.map(({ code, count }) => [code, count]))
  if (errors.length >= ALL_ERRORS) for (const code of after.keys()) if (!before.has(code)) after.delete(code)
  return {
    change: { name, what: 'errors', before: sharesText(before), after: sharesText(after) },
    p: chanceOfDifference(before, after),
  }
}

function sharesText(counts: Counts): string {
  return [...scaled(counts, 1)].map(([code, share]) => `${code} ${percentText(share)}`).join(', ')
}

/** The most that a sample can count; Infinity would make every share undefined. */
const LARGEST = 1e9

/** Counts with the same shares in a sample of another size. */
function scaled(counts: Counts, size: number): Counts {
  const whole = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return new Map([...counts].map(([name, count]) => [name, (count / whole) * Math.min(size, LARGEST)]))
}
