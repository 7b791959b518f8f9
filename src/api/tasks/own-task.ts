import type { Task } from '../../core/task/task.js'
import type { Exchange } from '../operation.js'
import { Problem } from '../problem.js'

/**
 * The task that the path names.
 * @throws Problem 404 where there is none, or it belongs to another key
 */
export async function ownTask(exchange: Exchange): Promise<Task> {
  const [id = ''] = exchange.params
  const task = await exchange.sim.tasks.get(id)
  if (task === undefined || task.owner !== exchange.key) {
    throw new Problem('task_not_found', `There is no task ${id.slice(0, 100)} that this API key could see.`)
  }
  exchange.taskId = id
  return task
}
