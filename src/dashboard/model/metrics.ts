import { isRefused } from './requests/request-filter.js'

/** A sample of the Prometheus text format. */
export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

/** Parses the Prometheus text format. */
export function parseMetrics(text: string): MetricSample[] {
  return text.split('\n').flatMap((line) => {
    const match = line.startsWith('#') ? null : LINE.exec(line)
    if (match === null) return []
    const [, name = '', labels = '', value = ''] = match
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, unescapeLabel(text)])
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }]
  })
}

function unescapeLabel(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
}

/** The number of responses in each bucket; the buckets of Prometheus are cumulative. */
export function latencyBuckets(samples: readonly MetricSample[]): { upTo: number; count: number }[] {
  const buckets = samples.filter(({ name }) => name === 'tasksim_request_duration_seconds_bucket')
  return buckets.map(({ labels, value }, index) => ({
    upTo: labels['le'] === '+Inf' ? Infinity : Number(labels['le']) * 1_000,
    count: value - (buckets[index - 1]?.value ?? 0),
  }))
}

/** A response with its time, in milliseconds of a monotonic clock. */
interface TimedStatus {
  readonly at: number
  readonly status: number
  readonly delivered: boolean
}

/** The number of responses and of errors in each second, oldest first. */
export function perSecond(
  responses: readonly TimedStatus[],
  now: number,
  seconds: number,
): { total: number; failed: number }[] {
  const buckets = Array.from({ length: seconds }, () => ({ total: 0, failed: 0 }))
  for (let index = responses.length - 1; index >= 0; index--) {
    const response = responses[index] as TimedStatus
    const age = Math.floor((now - response.at) / 1_000)
    if (age >= seconds) break
    const bucket = buckets[seconds - 1 - Math.max(0, age)]
    if (bucket === undefined) continue
    bucket.total += 1
    if (isRefused(response)) bucket.failed += 1
  }
  return buckets
}
