import type { PreviewShape } from '../shapes.js'
import type { Sample } from './sample.js'
import { histogram, percentiles } from './spread.js'

/** A sample as data: percentiles instead of all values, durations in milliseconds. */
export function previewShape(sample: Sample): PreviewShape {
  const { model, kind, tasks, outcomes, errors, cost, webhookAttempts, queue, processing } = sample
  return {
    model,
    kind,
    tasks,
    outcomes,
    errors,
    cost_usd: { total: cost.total, per_success: cost.perSuccess },
    attempts_per_task: webhookAttempts / tasks,
    queue_ms: percentiles(queue),
    processing_ms: percentiles(processing),
    histogram: histogram(processing),
  }
}
