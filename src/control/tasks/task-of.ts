import type { Task } from '../../engine/tasks/task.js'
import { evictionHint, Problem } from '../../exchange/problem.js'
import type { Exchange } from '../../http/operation.js'
import type { Simulator } from '../../simulator/simulator.js'

/** The documentation of the parameter in paths of one task. */
export const TASK_ID = { id: 'The id of the task' }

/**
 * The task in the path, which becomes the task of the exchange.
 * @throws Problem 404 if there is none
 */
export function taskOf(exchange: Exchange): Task {
  const [id = ''] = exchange.params
  const task = taskWithId(id, exchange.sim)
  exchange.taskId = id
  return task
}

/** @throws Problem 404 if there is no task with the id */
export function taskWithId(id: string, sim: Simulator): Task {
  const task = sim.tasks.get(id)
  if (task !== undefined) return task
  throw new Problem('task_not_found', `There is no task ${id.slice(0, 100)}.${evictionHint(sim)}`)
}
