import { toDollars } from '../engine/tasks/pricing.js'
import type { DurationHistogram, EventCounters } from '../inspect/journal/event-counters.js'
import type { Simulator } from '../simulator/simulator.js'
import { controlOperation } from './operation.js'

export const readMetrics = controlOperation('sim.metrics', {
  tag: 'Record',
  summary: 'Read metrics for Prometheus',
  responses: {
    200: {
      description: 'The metrics',
      content: { type: 'text/plain', schema: { type: 'string' } },
      example:
        '# HELP tasksim_tasks Tasks by state\n# TYPE tasksim_tasks gauge\ntasksim_tasks{status="succeeded"} 4\n',
    },
  },
  run: ({ sim }) => ({
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    body: metricsOf(sim),
  }),
})

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

function metricsOf({ counters, webhooks, sandboxes, memory }: Simulator): string {
  const deliveries = Object.entries(webhooks.log.counts)
  return [
    metric('tasks', 'gauge', 'Tasks by state', by('status', Object.entries(counters.tasks))),
    metric('requests_total', 'counter', REQUESTS, requestSamples(counters)),
    metric(
      'faults_total',
      'counter',
      'Requests to which a fault applied, by rule',
      by('rule', counters.faults),
    ),
    durations(counters.durations),
    metric('deliveries', 'gauge', 'Deliveries by state', by('state', deliveries)),
    metric('delivery_attempts_total', 'counter', 'Webhook attempts', only(counters.attempts)),
    metric('spent_usd_total', 'counter', COST, only(toDollars(counters.spent))),
    metric('retained_bytes', 'gauge', BYTES, by('holder', Object.entries(memory.usage()))),
    metric('retained_bytes_limit', 'gauge', 'Maximum estimated bytes in memory', only(memory.limit)),
    metric('sandboxes', 'gauge', 'Sandboxes', only(sandboxes.size)),
  ].join('')
}

const REQUESTS =
  'Answered requests by operation and status; delivered is false if the answer was lost on its way'
const COST = 'Cost of successful tasks in US dollars'
const BYTES = 'Estimated bytes in memory by holder'

/** A sample for each value of a label. */
function by(label: string, counts: Iterable<readonly [string, number]>): Sample[] {
  return [...counts].map(([name, value]) => [{ [label]: name }, value])
}

/** The only sample of a metric without labels. */
function only(value: number): Sample[] {
  return [[{}, value]]
}

function requestSamples({ requests, undelivered }: EventCounters): Sample[] {
  return [...requests].flatMap(([operation, statuses]) =>
    [...statuses].flatMap(([status, total]): Sample[] => {
      const labels = { operation, status: String(status) }
      const lost = undelivered.get(operation)?.get(status) ?? 0
      const samples: Sample[] = [
        [labels, total - lost],
        [{ ...labels, delivered: 'false' }, lost],
      ]
      return samples.filter(([, value]) => value > 0)
    }),
  )
}

function durations(histogram: DurationHistogram): string {
  const buckets = [...histogram.cumulative()].map(([bound, count]): Sample => [{ le: String(bound) }, count])
  const name = 'request_duration_seconds'
  return [
    `# HELP tasksim_${name} Real time until the response\n# TYPE tasksim_${name} histogram\n`,
    samples(`${name}_bucket`, [...buckets, [{ le: '+Inf' }, histogram.count]]),
    samples(`${name}_sum`, only(histogram.sum)),
    samples(`${name}_count`, only(histogram.count)),
  ].join('')
}

function metric(name: string, type: string, help: string, values: readonly Sample[]): string {
  return `# HELP tasksim_${name} ${help}\n# TYPE tasksim_${name} ${type}\n${samples(name, values)}`
}

function samples(name: string, values: readonly Sample[]): string {
  return values.map(([labels, value]) => `tasksim_${name}${labelText(labels)} ${value}\n`).join('')
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')
}
