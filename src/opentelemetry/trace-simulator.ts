import type { Tracer as ApiTracer } from '@opentelemetry/api'
import type { Tracer } from '../engine/tracing.js'
import type { Simulator } from '../simulator.js'
import { AttemptSpans } from './attempt-spans.js'
import { RequestSpans } from './request-spans.js'
import { recordTaskSpans } from './task-spans.js'

/**
 * Traces the tasks of a simulator. The span of the create request is the parent of all spans of its task.
 * @returns a function that stops this
 */
export function traceSimulator(sim: Simulator, apiTracer: ApiTracer): () => void {
  const requests = new RequestSpans(sim, apiTracer)
  const attempts = new AttemptSpans(sim, apiTracer)
  const tracer: Tracer = {
    beginTask: (request) => (request === undefined ? requests.ofProgram() : requests.begin(request)),
    beginAttempt: (delivery) => attempts.begin(delivery),
  }
  sim.parts.tracing.tracer = tracer
  const stops = [
    ...recordTaskSpans(sim, apiTracer),
    sim.on('request.answered', (request, context) => requests.end(request, context)),
    sim.on('delivery.attempted', (delivery, attempt) => attempts.end(delivery, attempt)),
    sim.on('reset.begins', () => attempts.clear()),
  ]
  return () => {
    sim.parts.tracing.tracer = undefined
    for (const stop of stops) stop()
  }
}
