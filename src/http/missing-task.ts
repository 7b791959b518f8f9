import { mask } from '../engine/mask.js'
import type { Task } from '../engine/tasks/task.js'
import { evictionHint, type KnownReason, Problem } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import type { ServiceExchange } from './operation.js'

const LONGEST_ID = 100

/**
 * Rejects a request for a task that the client cannot see. The journal says why; the answer stays as vague as that of the
 * service.
 */
export function missingTask(id: string, exchange: ServiceExchange): Problem {
  const { sim, operation } = exchange
  const shown = id.slice(0, LONGEST_ID)
  const whose = operation.authenticated ? ' that this API key could see' : ''
  const task = sim.tasks.get(id)
  const known = task === undefined ? whyGone(id, sim) : whyHidden(task, exchange)
  return new Problem('task_not_found', `There is no task ${shown}${whose}.${evictionHint(sim.tasks)}`, {
    known,
  })
}

/** Why there is no task with an id. */
export function whyGone(id: string, sim: Simulator): KnownReason {
  const shown = id.slice(0, LONGEST_ID)
  const gone = sim.journal.whyForgotten(id)
  if (gone === 'deleted') return { name: 'deleted', reason: `A client has deleted task ${shown}.` }
  if (gone === 'evicted')
    return { name: 'evicted', reason: `Task ${shown} existed, but was evicted.${evictionHint(sim.tasks)}` }
  const sandbox = sim.sandboxes.list().find(({ sim }) => sim.tasks.get(id) !== undefined)
  if (sandbox !== undefined) {
    const where = `the sandbox ${sandbox.identity.id}. Send the API key of that sandbox`
    return { name: 'other_key', reason: `Task ${shown} is in ${where}.` }
  }
  return sim.tasks.hasForgotten
    ? {
        name: 'unknown_task',
        reason: `Task ${shown} never existed, or was evicted.${evictionHint(sim.tasks)}`,
      }
    : {
        name: 'unknown_task',
        reason: `No task with the id ${shown} was created since the start or the last reset.`,
      }
}

function whyHidden({ id, owner, dialect, model }: Task, exchange: ServiceExchange): KnownReason {
  const { key, dialect: own, operation } = exchange
  if (dialect !== own.name) {
    const reason = `Task ${id} exists, but was created in the format of ${dialect}; this request has that of ${own.name}.`
    return { name: 'other_format', reason }
  }
  if (operation.authenticated && owner !== key) {
    const reason = `Task ${id} exists, but belongs to the API key ${mask(owner)}; this request has ${mask(key)}.`
    return { name: 'other_key', reason }
  }
  const reason = `Task ${id} exists, but has another path: its model is ${model}.`
  return { name: 'other_path', reason }
}
