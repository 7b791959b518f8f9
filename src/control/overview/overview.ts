import { isoTime } from '../../engine/clock/instants.js'
import { mask, maskUrl } from '../../engine/mask.js'
import { isSuccess } from '../../engine/requests/statuses.js'
import type { CapacitySettings, PoolLimit } from '../../engine/scenario/scenario.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Attempt, Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import { json } from '../../exchange/exchange.js'
import type { Simulator } from '../../simulator/simulator.js'
import { controlOperation } from '../operation.js'
import type { CapacityLimitShape, CostSeriesShape, FailingReceiverShape, OverviewShape } from '../shapes.js'
import { CostsOverTime } from './cost-series.js'

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
    from: isoTime(from) ?? null,
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
    since: isoTime(since),
    failures,
    last_at: isoTime(attempt.startedAt),
    status: attempt.status,
    error: attempt.error,
    delivery_id: deliveryId,
    next_attempt_at: isoTime(webhooks.log.get(deliveryId)?.nextAt),
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
    sim.events.on('reset.begins', () => {
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

/** A receiver whose last attempt failed. Times are epoch milliseconds. */
interface FailingReceiver {
  readonly url: string
  /** When the first of the failures in a row happened. */
  readonly since: number
  /** How many attempts in a row failed. */
  readonly failures: number
  /** The last attempt. */
  readonly attempt: Attempt
  /** The delivery of that attempt. */
  readonly deliveryId: string
}

/** Beyond this number, the receiver that began to fail first is forgotten. */
const MAX_RECEIVERS = 200

/** Finds out which receivers fail now, from the attempts in the order of their ends. */
class FailingReceivers {
  readonly #failing = new Map<string, FailingReceiver>()

  /** Adds an attempt that has ended. */
  add({ id: deliveryId, url }: Pick<Delivery, 'id' | 'url'>, attempt: Attempt): void {
    // A receiver must reject such an attempt.
    if (attempt.flaw !== undefined) return
    const { status, startedAt } = attempt
    if (isSuccess(status)) {
      this.#failing.delete(url)
      return
    }
    const { since = startedAt, failures = 0 } = this.#failing.get(url) ?? {}
    this.#failing.set(url, { url, since, failures: failures + 1, attempt, deliveryId })
    const [first] = this.#failing.keys()
    if (this.#failing.size > MAX_RECEIVERS && first !== undefined) this.#failing.delete(first)
  }

  /** The last one that failed comes first. */
  list(): readonly FailingReceiver[] {
    return [...this.#failing.values()].sort((a, b) => b.attempt.startedAt - a.attempt.startedAt)
  }
}
