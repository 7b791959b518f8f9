import {
  metrics as globalMetrics,
  trace as globalTrace,
  type MeterProvider,
  type TracerProvider,
} from '@opentelemetry/api'
import { UsageError } from '../engine/errors.js'
import { checkOptionNames, type OptionNames } from '../engine/known-options.js'
import type { Simulator } from '../simulator.js'
import { recordMetrics } from './metrics.js'
import { traceSimulator } from './trace-simulator.js'

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
  if (sim.parts.tracing.tracer !== undefined)
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
