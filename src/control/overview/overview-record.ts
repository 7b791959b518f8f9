import { mask } from '../../engine/mask.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Simulator } from '../../simulator.js'
import { CostsOverTime } from './cost-series.js'
import { FailingReceivers } from './failing-receivers.js'

/** What the overview shows of the tasks and deliveries of a simulator, even after their eviction. */
export interface OverviewRecord {
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
export function overviewRecordOf(sim: Simulator): OverviewRecord {
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
