import { type HrTime, SpanKind } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { onTestFinished } from 'vitest'

/** A span with readable times and ids. */
interface Seen {
  readonly name: string
  readonly kind: string | undefined
  readonly trace: string
  readonly id: string
  readonly parent: string | undefined
  readonly from: number
  readonly to: number
  readonly failed: boolean
  readonly attributes: ReadableSpan['attributes']
  readonly links: readonly string[]
}

/** The real SDK, which keeps the spans and metrics in memory. */
export function recordTelemetry() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  onTestFinished(async () => {
    await tracerProvider.shutdown()
    await meterProvider.shutdown()
  })
  return {
    providers: { tracerProvider, meterProvider },
    spans: () => exporter.getFinishedSpans().map(seen),
    /** The numbers and the sums of the values of a histogram, by attributes. */
    async histogram(name: string) {
      await reader.forceFlush()
      const scopes = metrics.getMetrics().at(-1)?.scopeMetrics ?? []
      const found = scopes
        .flatMap((scope) => scope.metrics)
        .find(({ descriptor }) => descriptor.name === name)
      return (found?.dataPoints ?? []).map(({ attributes, value }) => {
        const { count, sum } = value as { count: number; sum: number }
        return { attributes, count, sum }
      })
    },
  }
}

function seen(span: ReadableSpan): Seen {
  const { traceId: trace, spanId: id } = span.spanContext()
  return {
    name: span.name,
    kind: SpanKind[span.kind],
    trace,
    id,
    parent: span.parentSpanContext?.spanId,
    from: milliseconds(span.startTime),
    to: milliseconds(span.endTime),
    failed: span.status.code === 2,
    attributes: span.attributes,
    links: span.links.map(({ context }) => context.spanId),
  }
}

function milliseconds([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1_000_000
}
