import { shareInterval } from '../../inspect/statistics.js'
import { counted, tooFewText } from '../counted.js'
import { learnDelay } from './delay/learn-delay.js'
import type { ErrorCounts } from './failures/error-counts.js'
import type { LearnedBehavior, LearnedFailures } from './learned.js'
import { MIN_SAMPLES } from './min-samples.js'
import { learnOutput } from './output/learn-output.js'
import { learnPrice, MIN_COSTS } from './price/learn-price.js'
import type { Spans } from './spans.js'
import type { Tally, TaskCounts } from './tally.js'

/**
 * Learns the behavior of a model, or of a kind.
 * @param spans of its tasks
 */
export function learnBehavior(
  { name, kind, counts, errors, priced, outputs }: Tally,
  spans: Spans,
): LearnedBehavior {
  const { processing, queueing } = spans
  const samples = counts.succeeded + counts.failed
  return {
    name,
    kind,
    counts,
    queueing: queueing.length < MIN_SAMPLES || isZero(queueing) ? undefined : learnDelay(queueing),
    delay: processing.length < MIN_SAMPLES ? undefined : learnDelay(processing),
    failures: samples < MIN_SAMPLES ? undefined : failuresOf(counts, errors),
    price: priced.count < MIN_COSTS ? undefined : learnPrice(priced),
    output: learnOutput(kind, outputs.all),
    patterns: spans.patterns,
    gaps: [
      ...unknownGaps(counts),
      ...tooFew('delay', processing.length),
      ...tooFew('failures', samples),
      ...tooFewCosts(priced.count),
    ],
  }
}

/** The words that the dialect does not know, and how many tasks ended with each. */
export function unknownGaps({ unknown }: Pick<TaskCounts, 'unknown'>): string[] {
  return Object.entries(unknown).map(
    ([word, count]) =>
      `failures: ${counted(count, 'task')} ended with the word ${JSON.stringify(word)}, which the dialect does not know; ` +
      'such tasks count neither as failed nor as successful',
  )
}

function isZero(sorted: Float64Array): boolean {
  return sorted.at(-1) === 0
}

function tooFew(field: string, samples: number): string[] {
  return samples < MIN_SAMPLES
    ? [`${field}: ${tooFewText(samples, 'ended task')}; ${MIN_SAMPLES} are needed`]
    : []
}

function tooFewCosts(samples: number): string[] {
  if (samples >= MIN_COSTS) return []
  return [
    samples === 0
      ? 'price: no task has a cost'
      : `price: ${tooFewText(samples, 'cost')}; ${MIN_COSTS} are needed`,
  ]
}

/** The failures among the tasks that ended by themselves. */
export function failuresOf(
  { succeeded, failed }: TaskCounts,
  { listed, unlisted }: ErrorCounts,
): LearnedFailures {
  const samples = succeeded + failed
  return {
    samples,
    failed,
    rate: failed / samples,
    interval: shareInterval(failed, samples),
    errors: listed,
    unlisted,
  }
}
