import { mask } from '../../engine/mask.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Simulator } from '../../simulator.js'
import { CostsOverTime } from './cost-series.js'
import { FailingReceivers } from './failing-receivers.js'

/** What the overview knows about a simulator. It costs nothing before somebody asks for it. */
export interface Watch {
  readonly models: CostsOverTime
  /** By masked API key. */
  readonly keys: CostsOverTime
  readonly failing: FailingReceivers
}

const watches = new WeakMap<Simulator, Watch>()

/** The watch of a simulator. The first call reads what the simulator still keeps; later events arrive as they happen. */
export function watchOf(sim: Simulator): Watch {
  const known = watches.get(sim) ?? startWatch(sim)
  watches.set(sim, known)
  return known
}

function startWatch(sim: Simulator): Watch {
  const watch = { models: new CostsOverTime(), keys: new CostsOverTime(), failing: new FailingReceivers() }
  const ended = sim.tasks.list({ limit: Infinity, matches: ({ cost = 0 }) => cost > 0 })
  for (const task of ended?.tasks ?? []) addTask(watch, task)
  addDeliveries(sim, watch)
  sim.on('task.finished', (task) => addTask(watch, task))
  sim.on('delivery.attempted', (delivery, attempt) => watch.failing.add(delivery, attempt))
  sim.on('reset.begins', () => {
    for (const part of Object.values(watch)) part.clear()
  })
  return watch
}

function addTask({ models, keys }: Watch, { model, owner, cost = 0, completedAt }: Task): void {
  if (cost === 0 || completedAt === undefined) return
  models.add(model, completedAt, cost)
  keys.add(mask(owner), completedAt, cost)
}

function addDeliveries({ webhooks }: Simulator, { failing }: Watch): void {
  const { deliveries = [] } = webhooks.log.list({ limit: Infinity }) ?? {}
  const attempts = deliveries.flatMap((delivery) =>
    delivery.attempts.map((attempt) => ({ delivery, attempt })),
  )
  attempts.sort((a, b) => a.attempt.startedAt - b.attempt.startedAt)
  for (const { delivery, attempt } of attempts) failing.add(delivery, attempt)
}
