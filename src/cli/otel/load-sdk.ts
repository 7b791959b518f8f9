import { onMissingPackage } from '../../engine/errors.js'

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
export async function loadSdk() {
  const [api, traces, metrics, resources, traceExporter, metricExporter, { instrument }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('../../opentelemetry/index.js'),
  ]).catch(onMissingPackage('The option --otel', ...PACKAGES))
  const { OTLPTraceExporter } = traceExporter
  const { OTLPMetricExporter } = metricExporter
  return { api, traces, metrics, resources, OTLPTraceExporter, OTLPMetricExporter, instrument }
}
