import {
  type Tracer as ApiTracer,
  metrics as globalMetrics,
  trace as globalTrace,
  type Meter,
  type MeterProvider,
  type TracerProvider,
} from '@opentelemetry/api'
import { checkOptionNames, type OptionNames, UsageError } from '../engine/errors.js'
import type { Tracer } from '../engine/tracing.js'
import { isOfControl } from '../exchange/exchange.js'
import type { Simulator } from '../simulator/simulator.js'
import { AttemptSpans, recordTaskSpans } from './attempt-spans.js'
import { attemptAttributes, serverAttributes } from './attributes.js'
import { RequestSpans } from './request-spans.js'

/** The options of {@link instrument}. */
export interface InstrumentOptions {
  /** Receives the spans; the global provider of `@opentelemetry/api` by default. */
  readonly tracerProvider?: TracerProvider
  /** Receives the metrics; the global provider of `@opentelemetry/api` by default. */
  readonly meterProvider?: MeterProvider
}

const OPTION_NAMES: OptionNames<InstrumentOptions> = { tracerProvider: true, meterProvider: true }

/** The name of the instrumentation scope. */
const SCOPE = 'tasksim'

/**
 * Sends traces of tasks, and metrics, to OpenTelemetry: of a simulator and of its sandboxes. Call it before the first
 * task is created.
 * @returns a function that stops this
 * @throws UsageError if an option is unknown, or the simulator is already instrumented
 * @example
 * const stop = instrument(sim, { tracerProvider, meterProvider })
 */
export function instrument(sim: Simulator, options: InstrumentOptions = {}): () => void {
  checkOptionNames('instrument', options, OPTION_NAMES)
  if (sim.tracing.tracer !== undefined)
    throw new UsageError(
      'The simulator is already instrumented. Call the function that the first call of `instrument` returned, then call `instrument` again.',
    )
  const { tracerProvider = globalTrace, meterProvider = globalMetrics } = options
  const tracer = tracerProvider.getTracer(SCOPE)
  const meter = meterProvider.getMeter(SCOPE)
  const stops: (() => void)[] = []
  const start = (each: Simulator) => {
    stops.push(traceSimulator(each, tracer), recordMetrics(each, meter))
  }
  start(sim)
  for (const sandbox of sim.sandboxes.list()) start(sandbox.sim)
  sim.onSandboxBuilt = start
  return () => {
    sim.onSandboxBuilt = undefined
    for (const stop of stops.splice(0)) stop()
  }
}

/**
 * Traces the tasks of a simulator. The span of the create request is the parent of all spans of its task.
 * @returns a function that stops this
 */
function traceSimulator(sim: Simulator, apiTracer: ApiTracer): () => void {
  const requests = new RequestSpans(sim, apiTracer)
  const attempts = new AttemptSpans(sim, apiTracer)
  const tracer: Tracer = {
    beginTask: (request) => (request === undefined ? requests.ofProgram() : requests.begin(request)),
    beginAttempt: (delivery) => attempts.begin(delivery),
  }
  sim.tracing.tracer = tracer
  const stops = [
    ...recordTaskSpans(sim, apiTracer),
    sim.on('request.answered', (request, context) => requests.end(request, context)),
    sim.on('delivery.attempted', (delivery, attempt) => attempts.end(delivery, attempt)),
    sim.events.on('reset.begins', () => attempts.clear()),
  ]
  return () => {
    sim.tracing.tracer = undefined
    for (const stop of stops) stop()
  }
}

/** Seconds: the boundaries that the semantic conventions recommend for HTTP. */
const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Seconds: tasks take longer. */
const TASK_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600]

/**
 * Records the durations of requests, webhook attempts and tasks. Requests for the control API do not count.
 * @returns a function that stops this
 */
function recordMetrics(sim: Simulator, meter: Meter): () => void {
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
