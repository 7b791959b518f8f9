import { shareInterval } from '../../control/preview/statistics.js'
import { learnDelay } from './delay/learn-delay.js'
import type { LearnedBehavior, LearnedFailures, TaskCounts } from './learned.js'
import type { ModelHistory } from './model-history.js'
import { learnPrice, MIN_COSTS } from './price/learn-price.js'

/** Below 29 values, the chance that all of them are below the 90th percentile is above 5 %: it has no 95 % interval. */
const MIN_SAMPLES = 30

/** Learns the behavior of a model, or of a kind. */
export function learnBehavior(history: ModelHistory): LearnedBehavior {
  const delays = processingTimes(history)
  const counts = countsOf(history)
  const samples = counts.succeeded + counts.failed
  return {
    name: history.model,
    kind: history.kind,
    counts,
    delay: delays.length < MIN_SAMPLES ? undefined : learnDelay(delays),
    failures: samples < MIN_SAMPLES ? undefined : failuresOf(history, samples),
    price: history.priced.count < MIN_COSTS ? undefined : learnPrice(history.priced),
    gaps: [
      ...tooFew('delay', delays.length),
      ...tooFew('failures', samples),
      ...tooFewCosts(history.priced.count),
    ],
  }
}

function tooFew(field: string, samples: number): string[] {
  return samples < MIN_SAMPLES
    ? [`${field}: ${samples} ended tasks are too few; ${MIN_SAMPLES} are enough`]
    : []
}

function tooFewCosts(samples: number): string[] {
  if (samples >= MIN_COSTS) return []
  return [
    samples === 0
      ? 'price: no task has a cost'
      : `price: ${samples} costs are too few; ${MIN_COSTS} are enough`,
  ]
}

function countsOf(history: ModelHistory): TaskCounts {
  const [succeeded, failed] = [history.count('succeeded'), history.count('failed')]
  return {
    all: history.tasks,
    succeeded,
    failed,
    canceled: history.count('canceled'),
    unfinished: history.count('queued') + history.count('processing'),
  }
}

/** Milliseconds from the start to the end of each successful or failed task, sorted. */
function processingTimes(history: ModelHistory): Float64Array {
  const [created, started, ended] = [history.created.values, history.started.values, history.ended.values]
  const times = created.map((creation, index) => {
    const start = started[index] ?? Number.NaN
    return history.endsByItself(index)
      ? (ended[index] ?? Number.NaN) - (Number.isNaN(start) ? creation : start)
      : Number.NaN
  })
  return times.filter((time) => !Number.isNaN(time)).sort()
}

function failuresOf(history: ModelHistory, samples: number): LearnedFailures {
  const failed = history.count('failed')
  const { listed, unlisted } = history.errors
  return {
    samples,
    failed,
    rate: failed / samples,
    interval: shareInterval(failed, samples),
    errors: listed,
    unlisted,
  }
}
