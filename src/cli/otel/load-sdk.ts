import { UsageError } from '../../engine/errors.js'

/** The optional peers of tasksim that send traces and metrics to a collector, with their versions for older Nodes. */
const PACKAGES = {
  '@opentelemetry/api': '1.9',
  '@opentelemetry/exporter-metrics-otlp-http': '0.223',
  '@opentelemetry/exporter-trace-otlp-http': '0.223',
  '@opentelemetry/resources': '2',
  '@opentelemetry/sdk-metrics': '2',
  '@opentelemetry/sdk-trace': '2',
} as const

/** The first Node on which the newest versions of the packages run. */
const FIRST_NODE = [22, 15] as const

/**
 * Imports the packages of OpenTelemetry, and the code that needs them.
 * @throws UsageError with the command that installs the packages, if one is missing
 */
export async function loadSdk() {
  try {
    const [api, traces, metrics, resources, traceExporter, metricExporter, { instrument }] =
      await Promise.all([
        import('@opentelemetry/api'),
        import('@opentelemetry/sdk-trace'),
        import('@opentelemetry/sdk-metrics'),
        import('@opentelemetry/resources'),
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/exporter-metrics-otlp-http'),
        import('../../opentelemetry/index.js'),
      ])
    const { OTLPTraceExporter } = traceExporter
    const { OTLPMetricExporter } = metricExporter
    return { api, traces, metrics, resources, OTLPTraceExporter, OTLPMetricExporter, instrument }
  } catch (error) {
    throw explained(error)
  }
}

/** The packages as arguments of npm, in versions that run on a version of Node. */
export function packagesFor(node: string): string[] {
  const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number)
  const isNew = major > FIRST_NODE[0] || (major === FIRST_NODE[0] && minor >= FIRST_NODE[1])
  return Object.entries(PACKAGES).map(([name, version]) => (isNew ? name : `${name}@${version}`))
}

function explained(error: unknown): unknown {
  const { code, message = '' } = Object(error) as { code?: unknown; message?: string }
  if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@opentelemetry/")) return error
  return new UsageError(
    `--otel needs packages of OpenTelemetry, which tasksim does not include. Install them: npm install --save-dev tasksim ${packagesFor(process.version).join(' ')}`,
    { cause: error },
  )
}
