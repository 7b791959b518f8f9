import { toDollars } from '../engine/tasks/pricing.js'
import type { Operation } from '../http/operation.js'
import { json } from '../http/reply.js'
import { placeholdersOf } from '../scenario/secrets/placeholders.js'
import type { Simulator } from '../simulator.js'
import { clockShape } from './clock/clock-shape.js'
import type { HealthShape, StateShape } from './shapes.js'

/** Tells that it is up and ready; a server that listens is both. */
export const readHealth: Operation = {
  id: 'sim.health',
  authenticated: false,
  run: () => json(200, { status: 'ok' } satisfies HealthShape),
}

/** Tells what it simulates, and how much of everything there is. */
export const readState: Operation = {
  id: 'sim.state',
  authenticated: false,
  run: ({ sim }) => json(200, stateShape(sim)),
}

/** JSON has no infinity. */
function memoryShape({ memory }: Simulator): StateShape['memory'] {
  const { limit, used } = memory
  return { used_bytes: used, limit_bytes: limit === Infinity ? null : limit, holders: memory.usage() }
}

function stateShape(sim: Simulator): StateShape {
  const { name, description } = sim.scenario
  return {
    sandbox: sim.identity?.id ?? null,
    scenario: { name, description: placeholdersOf(sim.scenario).hideIn(description) },
    seed: sim.seed,
    clock: clockShape(sim),
    tasks: sim.counters.tasks,
    requests: sim.counters.durations.count,
    deliveries: sim.webhooks.log.counts,
    spent_usd: toDollars(sim.counters.spent),
    sandboxes: sim.sandboxes.size,
    memory: memoryShape(sim),
    journal: sim.journal.newest,
  }
}
