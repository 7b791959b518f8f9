import type { DiagLogger } from '@opentelemetry/api'
import { onMissingPackage, reasonOf } from '../engine/errors.js'
import { within } from '../ledger/wait.js'
import type { Simulator } from '../simulator/simulator.js'
import { CommandLineError } from './errors.js'
import { VERSION } from './version.js'

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

/** The packages that send traces and metrics to a collector; all are optional peers of tasksim. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
] as const

/**
 * Imports the packages of OpenTelemetry, and the code that needs them.
 * @throws UsageError with the command that installs the packages, if one is missing
 */
async function loadSdk() {
  const [api, traces, metrics, resources, traceExporter, metricExporter, { instrument }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('../opentelemetry/index.js'),
  ]).catch(onMissingPackage('The option --otel', ...PACKAGES))
  const { OTLPTraceExporter } = traceExporter
  const { OTLPMetricExporter } = metricExporter
  return { api, traces, metrics, resources, OTLPTraceExporter, OTLPMetricExporter, instrument }
}

/** The maximum number of different problems to print. */
const MAX_PROBLEMS = 20

/** Prints each problem of the SDK once: an exporter repeats its error with every batch. */
export function problemLogger(print: (line: string) => void): DiagLogger {
  const known = new Set<string>()
  const log = (...given: readonly unknown[]) => {
    const problem = given.map(textOf).join(' ')
    if (known.has(problem) || known.size >= MAX_PROBLEMS) return
    known.add(problem)
    print(`tasksim: OpenTelemetry: ${problem}\n`)
  }
  const ignore = () => {}
  return { error: log, warn: log, info: ignore, debug: ignore, verbose: ignore }
}

/** The SDK reports an error as JSON with its message and its stack. */
function textOf(given: unknown): string {
  if (given instanceof Error) return given.message
  const text = String(given)
  if (!text.startsWith('{')) return text
  try {
    const { message, code } = JSON.parse(text)
    return String(message || code || text)
  } catch {
    return text
  }
}

/** The standard variables that the exporters do not read by themselves. */
interface OtelSettings {
  readonly sendsTraces: boolean
  readonly sendsMetrics: boolean
  /** Milliseconds until ended spans are sent; that of the SDK by default. */
  readonly traceDelay: number | undefined
  /** Milliseconds between two exports of metrics; that of the SDK by default. */
  readonly metricInterval: number | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the standard variables of OpenTelemetry.
 * @returns undefined if they disable it
 * @throws CommandLineError if a variable has a value that tasksim does not support
 */
export function readOtelSettings(env: Environment): OtelSettings | undefined {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined
  for (const signal of ['', 'TRACES_', 'METRICS_']) checkProtocol(env, `OTEL_EXPORTER_OTLP_${signal}PROTOCOL`)
  const settings = {
    sendsTraces: isSent(env, 'OTEL_TRACES_EXPORTER'),
    sendsMetrics: isSent(env, 'OTEL_METRICS_EXPORTER'),
    traceDelay: millisecondsIn(env, 'OTEL_BSP_SCHEDULE_DELAY'),
    metricInterval: millisecondsIn(env, 'OTEL_METRIC_EXPORT_INTERVAL'),
  }
  return settings.sendsTraces || settings.sendsMetrics ? settings : undefined
}

/** A collector receives both encodings of HTTP at the same address, but gRPC at another one. */
function checkProtocol(env: Environment, name: string): void {
  const protocol = env[name]?.trim() ?? ''
  if (['', 'http/json', 'http/protobuf'].includes(protocol)) return
  throw new CommandLineError(
    `${name} must be http/json for tasksim; got ${JSON.stringify(protocol)}. Set it to http/json, and OTEL_EXPORTER_OTLP_ENDPOINT to the HTTP port of the collector, usually 4318.`,
  )
}

function isSent(env: Environment, name: string): boolean {
  const exporter = env[name]?.trim() ?? ''
  if (['', 'otlp', 'none'].includes(exporter)) return exporter !== 'none'
  throw new CommandLineError(
    `${name} must be otlp or none for tasksim; got ${JSON.stringify(exporter)}. Set it to otlp, or omit it.`,
  )
}

function millisecondsIn(env: Environment, name: string): number | undefined {
  const text = env[name]?.trim() ?? ''
  if (text === '') return undefined
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new CommandLineError(
    `${name} must be a whole number of milliseconds from 1 up, such as 5000; got ${JSON.stringify(text)}.`,
  )
}
