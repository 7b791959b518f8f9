import type { Sample } from '../../api/control/preview/sample.js'
import { histogram, PERCENTILES, percentile } from '../../api/control/preview/spread.js'
import { colors } from '../output.js'

const WIDEST = 40

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
    `  webhooks    ${(webhookAttempts / tasks).toFixed(2)} attempts a task, which names one \`webhook_url\`, beside the scenario's receivers`,
  ]
  return [...rows, ...bars(processing), ''].join('\n')
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

/** How processing times are spread, one bar a line. */
function bars(sorted: Float64Array): string[] {
  const rows = histogram(sorted)
  const most = Math.max(...rows.map(({ count }) => count))
  return rows.map(({ from, count }) => {
    const bar = '█'.repeat(Math.round((count / most) * WIDEST))
    return `  ${seconds(from).padStart(10)} ${colors.cyan(bar)}`
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
