import { CommandLineError } from '../errors.js'

/** The standard variables that the exporters do not read by themselves. */
export interface OtelSettings {
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
