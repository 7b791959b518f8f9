import type { Task } from '../engine/tasks/task.js'
import { evictionHint, Problem } from '../http/exchange/problem.js'
import type { Exchange } from '../http/operation.js'

/** The documentation of the parameter in paths of one task. */
export const TASK_ID = { id: 'The id of the task' }

/**
 * The task in the path.
 * @throws Problem 404 if there is none
 */
export function taskOf(exchange: Exchange): Task {
  const [id = ''] = exchange.params
  const { sim } = exchange
  const task = sim.tasks.get(id)
  if (task === undefined)
    throw new Problem('task_not_found', `There is no task ${id.slice(0, 100)}.${evictionHint(sim)}`)
  exchange.taskId = id
  return task
}
