import { percentile } from '../../inspect/statistics.js'
import type { Failures } from '../../scenario/model/behavior.js'
import type { Spread } from '../../scenario/model/delay.js'
import { failuresOf } from '../learn/learn-behavior.js'
import type { LearnedFailures } from '../learn/learned.js'
import { MIN_SAMPLES } from '../learn/min-samples.js'
import type { Tally } from '../learn/tally.js'
import { percentText, timeText } from '../scenario/comments.js'
import { locationTest, mixTest, shapeTest, shareTest } from '../statistics/compare-samples.js'
import { cdfOf, quantileOf } from '../statistics/spread-cdf.js'
import type { Change, Test } from './change.js'

const RANKS = [50, 90, 99]

/**
 * Compares times with the distribution of a scenario.
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
  const cdf = cdfOf(spread)
  const text = (percentileOf: (rank: number) => number) =>
    RANKS.map((rank) => `p${rank} ${timeText(percentileOf(rank))}`).join(', ')
  const change: Change = {
    name,
    what,
    before: text((rank) => quantileOf(spread, rank / 100)),
    after: text((rank) => percentile(sorted, rank)),
  }
  return [
    { change, p: locationTest(sorted, cdf, size) },
    { change, p: shapeTest(sorted, cdf, size) },
  ]
}

/** Compares the failures of a model with those of a scenario. */
export function compareFailures(tally: Tally, { rate, errors = [] }: Failures, size: number): Test[] {
  const samples = tally.counts.succeeded + tally.counts.failed
  if (samples < MIN_SAMPLES) return []
  const found = failuresOf(tally.counts, tally.errors)
  const share: Test = {
    change: {
      name: tally.name,
      what: 'failures',
      before: percentText(rate),
      after: `${percentText(found.rate)} of ${samples.toLocaleString('en')} tasks`,
    },
    p: shareTest({ count: rate * size, whole: size }, { count: found.failed, whole: samples }),
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
    p: mixTest(before, after),
  }
}

function sharesText(counts: ReadonlyMap<string, number>): string {
  const whole = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [...counts].map(([code, count]) => `${code} ${percentText(count / whole)}`).join(', ')
}
