import type { Meter } from '@opentelemetry/api'
import { isOfControl } from '../http/exchange/exchange.js'
import type { Simulator } from '../simulator.js'
import { attemptAttributes } from './attempt-attributes.js'
import { serverAttributes } from './http-attributes.js'

/** Seconds: the boundaries that the semantic conventions recommend for HTTP. */
const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Seconds: tasks take longer. */
const TASK_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600]

/**
 * Records the durations of requests, webhook attempts and tasks. Requests for the control API do not count.
 * @returns a function that stops this
 */
export function recordMetrics(sim: Simulator, meter: Meter): () => void {
  const server = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP server requests, in real time.',
    advice: { explicitBucketBoundaries: HTTP_BUCKETS },
  })
  const client = meter.createHistogram('http.client.request.duration', {
    unit: 's',
    description: 'Duration of webhook attempts, in real time.',
    advice: { explicitBucketBoundaries: HTTP_BUCKETS },
  })
  const tasks = meter.createHistogram('tasksim.task.duration', {
    unit: 's',
    description: "Duration of tasks from creation to end, on the simulator's clock.",
    advice: { explicitBucketBoundaries: TASK_BUCKETS },
  })
  const stops = [
    sim.on('request.answered', (request, context) => {
      if (isOfControl(request.path)) return
      server.record(request.took / 1_000, serverAttributes(request, context))
    }),
    sim.on('delivery.attempted', (delivery, attempt) =>
      client.record(attempt.took / 1_000, attemptAttributes(delivery, attempt)),
    ),
    sim.on('task.finished', ({ kind, status, dialect, createdAt }, at) =>
      tasks.record((at - createdAt) / 1_000, {
        'tasksim.task.kind': kind,
        'tasksim.task.status': status,
        'tasksim.dialect': dialect,
      }),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
