import { type Awaitable, after } from '../../engine/awaitable.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Exchange } from '../operation.js'
import { evictionHint, Problem } from '../problem.js'

/**
 * The task that the path names.
 * @throws Problem 404 where there is none, or it belongs to another key
 */
export function ownTask(exchange: Exchange): Awaitable<Task> {
  const [id = ''] = exchange.params
  return after(exchange.sim.tasks.get(id), (task) => {
    if (task !== undefined && task.owner === exchange.key) {
      exchange.taskId = task.id
      return task
    }
    throw new Problem(
      'task_not_found',
      `There is no task ${id.slice(0, 100)} that this API key could see.${evictionHint(exchange.sim)}`,
    )
  })
}
