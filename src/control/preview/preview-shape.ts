import { distribution, percentileIntervals, percentiles, shareIntervals } from '../../inspect/statistics.js'
import type { PreviewShape } from '../shapes.js'
import type { Sample } from './totals.js'

/**
 * A sample as JSON, with percentiles instead of all values.
 * @param excluded the rules of the scenario that the sample cannot trigger
 */
export function previewShape(sample: Sample, excluded: readonly string[]): PreviewShape {
  const { model, kind, requests, answers, tasks, outcomes, errors, cost, queue, processing } = sample
  return {
    model,
    kind,
    requests,
    answers,
    tasks,
    outcomes,
    errors,
    cost_usd: { total: cost.total, per_success: cost.perSuccess },
    attempts_per_task: sample.webhookAttempts / Math.max(1, tasks),
    queue_ms: percentiles(queue),
    processing_ms: percentiles(processing),
    histogram: distribution(processing),
    confidence_95: {
      outcomes: shareIntervals(outcomes, tasks),
      errors: shareIntervals(errors, outcomes['failed'] ?? 0),
      queue_ms: percentileIntervals(queue),
      processing_ms: percentileIntervals(processing),
      cost_usd_per_success: cost.interval,
    },
    excluded,
  }
}
