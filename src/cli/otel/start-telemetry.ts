import { reasonOf } from '../../engine/errors.js'
import { within } from '../../ledger/wait.js'
import type { Simulator } from '../../simulator.js'
import { VERSION } from '../version.js'
import { loadSdk } from './load-sdk.js'
import { problemLogger } from './log-problems.js'
import { type OtelSettings, readOtelSettings } from './otel-settings.js'

/** Sends the traces and metrics of a simulator to a collector. */
export interface Telemetry {
  /** Sends everything that was not sent yet, and stops. It never rejects, and does not wait long for the collector. */
  shutdown(): Promise<void>
}

/** How long a shutdown waits for the collector, in milliseconds. */
const MAX_SHUTDOWN = 2_000

type Sdk = Awaited<ReturnType<typeof loadSdk>>

/**
 * Sends the traces and metrics of a simulator to a collector, as the standard variables of OpenTelemetry say.
 * @returns undefined if a variable disables it
 * @throws UsageError if a package is missing, or a variable has a value that is not supported
 */
export async function startTelemetry(sim: Simulator): Promise<Telemetry | undefined> {
  const settings = readOtelSettings(process.env)
  if (settings === undefined) return undefined
  const sdk = await loadSdk()
  const { diag, DiagLogLevel } = sdk.api
  const print = (line: string) => process.stderr.write(line)
  diag.setLogger(problemLogger(print), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const providers = providersOf(sdk, settings)
  const { tracerProvider, meterProvider } = providers
  const stop = sdk.instrument(sim, {
    ...(tracerProvider && { tracerProvider }),
    ...(meterProvider && { meterProvider }),
  })
  return {
    async shutdown() {
      stop()
      const done = Promise.all([tracerProvider?.shutdown(), meterProvider?.shutdown()])
      const tooLate = () => new Error(`The collector did not answer within ${MAX_SHUTDOWN / 1_000} s.`)
      await within(MAX_SHUTDOWN, done, tooLate).catch((error) => diag.error(reasonOf(error)))
    },
  }
}

function providersOf(sdk: Sdk, { sendsTraces, sendsMetrics, traceDelay, metricInterval }: OtelSettings) {
  const { traces, metrics, OTLPTraceExporter, OTLPMetricExporter } = sdk
  const resource = resourceOf(sdk)
  return {
    tracerProvider: sendsTraces
      ? new traces.TracerProvider({
          resource,
          spanProcessors: [
            new traces.BatchSpanProcessor({
              exporter: new OTLPTraceExporter(),
              ...(traceDelay !== undefined && { scheduledDelayMillis: traceDelay }),
            }),
          ],
        })
      : undefined,
    meterProvider: sendsMetrics
      ? new metrics.MeterProvider({
          resource,
          readers: [
            new metrics.PeriodicExportingMetricReader({
              exporter: new OTLPMetricExporter(),
              ...intervalOf(metricInterval),
            }),
          ],
        })
      : undefined,
  }
}

/** An export must not take longer than the interval between two exports. */
function intervalOf(interval: number | undefined) {
  if (interval === undefined) return {}
  return { exportIntervalMillis: interval, exportTimeoutMillis: Math.min(interval, 30_000) }
}

/** Describes the server. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override it. */
function resourceOf({ resources }: Sdk) {
  const { defaultResource, resourceFromAttributes, detectResources, envDetector } = resources
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'tasksim', 'service.version': VERSION }))
    .merge(detectResources({ detectors: [envDetector] }))
}
