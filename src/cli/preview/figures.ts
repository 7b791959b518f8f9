import { colors } from '../output.js'
import type { Sample } from './sample.js'

const PERCENTILES = [50, 90, 95, 99, 100] as const
const ROWS = 10
const WIDEST = 40

/** A percentile of sorted values, by nearest rank. */
function percentile(sorted: Float64Array, rank: number): number {
  return sorted[Math.max(0, Math.ceil((rank / 100) * sorted.length) - 1)] ?? 0
}

/** A sample as data: percentiles instead of all values, durations in milliseconds. */
export function toJson({ queue, processing, ...counts }: Sample): object {
  return { ...counts, queue_ms: percentiles(queue), processing_ms: percentiles(processing) }
}

function percentiles(sorted: Float64Array): Record<string, number> {
  return Object.fromEntries(PERCENTILES.map((rank) => [`p${rank}`, percentile(sorted, rank)]))
}

/** A sample as a person reads it. */
export function toText(sample: Sample): string {
  const { model, kind, tasks, outcomes, errors, cost, webhookAttempts, queue, processing } = sample
  const rows = [
    `${colors.bold(model)} ${colors.dim(`(${kind}, ${tasks.toLocaleString('en')} tasks)`)}`,
    `  outcomes    ${shares(outcomes, tasks)}`,
    ...(Object.keys(errors).length === 0
      ? []
      : [`  errors      ${shares(errors, outcomes['failed'] ?? tasks)}`]),
    `  queued      ${spread(queue)}`,
    `  processing  ${spread(processing)}`,
    `  cost        ${dollars(cost.perSuccess)} a success, ${dollars(cost.total)} in all`,
    `  webhooks    ${(webhookAttempts / tasks).toFixed(2)} attempts a task`,
  ]
  return [...rows, ...histogram(processing), ''].join('\n')
}

function shares(counts: Record<string, number>, whole: number): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${((100 * count) / whole).toFixed(2)} %`)
    .join(', ')
}

function spread(sorted: Float64Array): string {
  if (percentile(sorted, 100) === 0) return 'not at all'
  return PERCENTILES.map(
    (rank) => `${rank === 100 ? 'max' : `p${rank}`} ${seconds(percentile(sorted, rank))}`,
  ).join('  ')
}

/** How processing times are spread, up to the 99th percentile; the rest would flatten the picture. */
function histogram(sorted: Float64Array): string[] {
  const [low, high] = [percentile(sorted, 0), percentile(sorted, 99)]
  if (high <= low) return []
  const counts = new Array<number>(ROWS).fill(0)
  const width = (high - low) / ROWS
  for (const value of sorted) {
    if (value <= high) {
      const row = Math.min(ROWS - 1, Math.floor((value - low) / width))
      counts[row] = (counts[row] ?? 0) + 1
    }
  }
  const most = Math.max(...counts)
  return counts.map((count, row) => {
    const bar = '█'.repeat(Math.round((count / most) * WIDEST))
    return `  ${seconds(low + row * width).padStart(10)} ${colors.cyan(bar)}`
  })
}

function seconds(milliseconds: number): string {
  if (milliseconds >= 3_600_000) return `${(milliseconds / 3_600_000).toFixed(1)}h`
  if (milliseconds >= 60_000) return `${(milliseconds / 60_000).toFixed(1)}m`
  return `${(milliseconds / 1_000).toFixed(2)}s`
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount >= 1 ? 2 : 6)}`
}
