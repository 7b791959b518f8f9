import { mask } from '../engine/mask.js'
import type { CapacitySettings, PoolLimit } from '../engine/scenario/scenario.js'
import { toDollars } from '../engine/tasks/pricing.js'
import type { Task } from '../engine/tasks/task.js'
import { maskUrl } from '../engine/webhooks/receivers/mask-url.js'
import { json } from '../exchange/reply.js'
import type { Simulator } from '../simulator/simulator.js'
import { instant } from './instant.js'
import { controlOperation } from './operation.js'
import { CostsOverTime } from './overview/cost-series.js'
import { type FailingReceiver, FailingReceivers } from './overview/failing-receivers.js'
import type { CapacityLimitShape, CostSeriesShape, FailingReceiverShape, OverviewShape } from './shapes.js'

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

/** The limits on running tasks in a scenario; keys are masked, patterns are not. */
function limitsOf({ running, queued, kinds, models, keys }: CapacitySettings): CapacityLimitShape[] {
  return [
    ...limit('everything', '', { running, queued }),
    ...limitsBy('kind', kinds),
    ...limitsBy('model', models),
    ...limitsBy('key', keys),
  ]
}

function limitsBy(
  scope: CapacityLimitShape['scope'],
  limits: Readonly<Record<string, PoolLimit | undefined>> = {},
): CapacityLimitShape[] {
  return Object.entries(limits).flatMap(([name, each = {}]) => {
    const shown = scope === 'key' && !name.includes('*') ? mask(name) : name
    return limit(scope, shown, each)
  })
}

function limit(
  scope: CapacityLimitShape['scope'],
  name: string,
  { running, queued }: PoolLimit,
): CapacityLimitShape[] {
  return running === undefined ? [] : [{ scope, name, running, queued }]
}

/** What the overview shows of the tasks and deliveries of a simulator, even after their eviction. */
interface OverviewRecord {
  readonly models: CostsOverTime
  /** By masked API key. */
  readonly keys: CostsOverTime
  readonly failing: FailingReceivers
}

const records = new WeakMap<Simulator, OverviewRecord>()

/**
 * Returns the record of a simulator. The first call since the start or a reset reads the tasks and deliveries that the
 * simulator still keeps, and listens for further ones. Without a call, a simulator records nothing.
 */
function overviewRecordOf(sim: Simulator): OverviewRecord {
  const known = records.get(sim) ?? startRecord(sim)
  records.set(sim, known)
  return known
}

function startRecord(sim: Simulator): OverviewRecord {
  const record = { models: new CostsOverTime(), keys: new CostsOverTime(), failing: new FailingReceivers() }
  const ended = sim.tasks.list({ limit: Infinity, matches: ({ cost = 0 }) => cost > 0 })
  for (const task of ended?.tasks ?? []) addTask(record, task)
  addDeliveries(sim, record)
  const listeners = [
    sim.on('task.finished', (task) => addTask(record, task)),
    sim.on('delivery.attempted', (delivery, attempt) => record.failing.add(delivery, attempt)),
    // An import of a state resets the simulator, too. The next record reads the imported tasks.
    sim.on('reset.begins', () => {
      for (const remove of listeners) remove()
      records.delete(sim)
    }),
  ]
  return record
}

function addTask({ models, keys }: OverviewRecord, { model, owner, cost = 0, completedAt }: Task): void {
  if (cost === 0 || completedAt === undefined) return
  models.add(model, completedAt, cost)
  keys.add(mask(owner), completedAt, cost)
}

function addDeliveries({ webhooks }: Simulator, { failing }: OverviewRecord): void {
  const { deliveries = [] } = webhooks.log.list({ limit: Infinity }) ?? {}
  const attempts = deliveries.flatMap((delivery) =>
    delivery.attempts.map((attempt) => ({ delivery, attempt })),
  )
  attempts.sort((a, b) => a.attempt.startedAt - b.attempt.startedAt)
  for (const { delivery, attempt } of attempts) failing.add(delivery, attempt)
}
