import { toDollars } from '../engine/tasks/pricing.js'
import { maskUrl } from '../engine/webhooks/receivers/mask-url.js'
import { json } from '../http/exchange/reply.js'
import type { Simulator } from '../simulator.js'
import { instant } from './instant.js'
import { controlOperation } from './operation.js'
import type { CostsOverTime } from './overview/cost-series.js'
import type { FailingReceiver } from './overview/failing-receivers.js'
import { limitsOf } from './overview/limits.js'
import { type OverviewRecord, overviewRecordOf } from './overview/overview-record.js'
import type { CostSeriesShape, FailingReceiverShape, OverviewShape } from './shapes.js'

export const readOverview = controlOperation('sim.overview', {
  tag: 'Record',
  summary: 'Read what the tasks cost over time, the limits on running tasks, and the failing receivers',
  description:
    'The costs of all models and `unassigned_usd` add up to `total_usd`, and so do the costs of all keys and `unassigned_usd`.',
  responses: { 200: { description: 'The overview', json: 'Overview' } },
  run: ({ sim }) => json(200, overviewShape(sim, overviewRecordOf(sim))),
})

function overviewShape(sim: Simulator, record: OverviewRecord): OverviewShape {
  return {
    spending: spendingShape(sim.counters.spent, record),
    limits: limitsOf(sim.scenario.capacity),
    failing: record.failing
      .list()
      .filter((receiver) => isInUse(receiver, sim))
      .map((receiver) => failingShape(receiver, sim)),
  }
}

function spendingShape(total: number, { models, keys }: OverviewRecord): OverviewShape['spending'] {
  const { from, step, series } = models.read()
  const assigned = series.reduce((sum, { cost }) => sum + cost, 0)
  return {
    total_usd: toDollars(total),
    unassigned_usd: toDollars(total - assigned),
    from: instant(from) ?? null,
    step_ms: step,
    models: seriesShapes(series),
    keys: seriesShapes(keys.read().series),
  }
}

function seriesShapes(series: ReturnType<CostsOverTime['read']>['series']): CostSeriesShape[] {
  return series.map(({ name, cost, steps }) => ({ name, usd: toDollars(cost), steps: steps.map(toDollars) }))
}

/** A removed receiver no longer gets webhooks. */
function isInUse({ url, deliveryId }: FailingReceiver, { webhooks, mirrored }: Simulator): boolean {
  if (mirrored !== undefined || webhooks.log.get(deliveryId)?.isOwn === true) return true
  return webhooks.receivers.list().some((receiver) => receiver.url === url)
}

function failingShape(
  { url, since, failures, attempt, deliveryId }: FailingReceiver,
  { webhooks }: Simulator,
): FailingReceiverShape {
  return {
    url: maskUrl(url),
    since: instant(since),
    failures,
    last_at: instant(attempt.startedAt),
    status: attempt.status,
    error: attempt.error,
    delivery_id: deliveryId,
    next_attempt_at: instant(webhooks.log.get(deliveryId)?.nextAt),
  }
}
