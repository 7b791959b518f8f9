import { toDollars } from '../../engine/tasks/pricing.js'
import type { Kind, Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { readRejection } from '../../exchange/read-rejection.js'
import {
  distribution,
  type Interval,
  meanInterval,
  percentileIntervals,
  percentiles,
  shareIntervals,
} from '../../inspect/statistics.js'
import type { PreviewShape } from '../shapes.js'

/** The results of sampling one model. */
export interface Sample {
  readonly model: string
  readonly kind: Kind
  /** How many create requests were sent. */
  readonly requests: number
  /** The number of responses by status and error code; `none` if the response was lost. */
  readonly answers: Record<string, number>
  /** How many tasks were created, including those whose response was lost. */
  readonly tasks: number
  /** The number of tasks by outcome; a `stuck` task never ends. */
  readonly outcomes: Record<string, number>
  /** The number of failed tasks by error code. */
  readonly errors: Record<string, number>
  /** Milliseconds from creation to start for each ended task, sorted. */
  readonly queue: Float64Array
  /** Milliseconds from start to end for each ended task, sorted. */
  readonly processing: Float64Array
  /** US dollars. */
  readonly cost: { readonly total: number; readonly perSuccess: number; readonly interval: Interval }
  readonly webhookAttempts: number
}

/** Accumulates the results of the requests and tasks of one sample. */
export class PreviewTotals {
  webhookAttempts = 0
  readonly #answers: Record<string, number> = {}
  readonly #outcomes: Record<string, number> = {}
  readonly #errors: Record<string, number> = {}
  readonly #queue: Float64Array
  readonly #processing: Float64Array
  #created = 0
  #ended = 0
  #dollars = 0
  #squares = 0

  constructor(readonly requests: number) {
    this.#queue = new Float64Array(requests)
    this.#processing = new Float64Array(requests)
  }

  addAnswer(reply: Reply): void {
    count(this.#answers, labelOf(reply))
  }

  addCreated(): void {
    this.#created += 1
  }

  addEnded({ status, error, createdAt, startedAt, completedAt = createdAt, cost = 0 }: Task): void {
    const startTime = startedAt ?? completedAt
    this.#queue[this.#ended] = startTime - createdAt
    this.#processing[this.#ended] = completedAt - startTime
    this.#ended += 1
    this.#dollars += toDollars(cost)
    this.#squares += toDollars(cost) ** 2
    count(this.#outcomes, status)
    if (error !== undefined) count(this.#errors, error.code)
  }

  sample(model: string, kind: Kind): Sample {
    const stuck = this.#created - this.#ended
    const succeeded = this.#outcomes['succeeded'] ?? 0
    const total = Math.round(this.#dollars * 1e6) / 1e6
    return {
      model,
      kind,
      requests: this.requests,
      answers: this.#answers,
      tasks: this.#created,
      outcomes: { ...this.#outcomes, ...(stuck > 0 && { stuck }) },
      errors: this.#errors,
      queue: this.#queue.subarray(0, this.#ended).sort(),
      processing: this.#processing.subarray(0, this.#ended).sort(),
      cost: {
        total,
        perSuccess: total / Math.max(1, succeeded),
        interval: meanInterval(this.#dollars, this.#squares, succeeded),
      },
      webhookAttempts: this.webhookAttempts,
    }
  }
}

function count(table: Record<string, number>, name: string): void {
  table[name] = (table[name] ?? 0) + 1
}

/** Describes a response, such as `429 rate_limited`. */
function labelOf(reply: Reply): string {
  const { status, transmission } = reply
  if (transmission !== undefined && !('pieces' in transmission && transmission.isWhole)) return 'none'
  const code = rejectionCode(reply)
  return code === undefined ? String(status) : `${status} ${code}`
}

/** The error code of a response. */
export function rejectionCode({ status, body }: Reply): string | undefined {
  if (status < 400) return undefined
  try {
    return readRejection(JSON.parse(String(body))).code
  } catch {
    return undefined
  }
}

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
