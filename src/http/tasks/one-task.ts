import { type Awaitable, after } from '../../engine/awaitable.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Exchange, Operation } from '../operation.js'
import { evictionHint, Problem } from '../exchange/problem.js'
import { jsonText } from '../exchange/reply.js'
import { taskText } from './task-body.js'

/** Answers with the current state of a task. This is the most frequent operation, so it waits only for the store. */
export const retrieveTask: Operation = {
  id: 'tasks.retrieve',
  authenticated: true,
  run(exchange) {
    const polled = after(ownTask(exchange), (task) => exchange.sim.tasks.poll(task))
    return after(polled, (task) => {
      exchange.note.observed = [{ id: task.id, status: task.status }]
      return jsonText(200, taskText(exchange, task))
    })
  },
}

/** Cancels a task. Canceling it again changes nothing; canceling a task that has succeeded or failed is a conflict. */
export const cancelTask: Operation = {
  id: 'tasks.cancel',
  authenticated: true,
  async run(exchange) {
    const { sim, request } = exchange
    if (!sim.scenario.api.cancel)
      throw new Problem('not_found', `There is nothing at ${request.method} ${request.path}.`)
    const { id } = await ownTask(exchange)
    const task = (await sim.tasks.cancel(id)) ?? (await ownTask(exchange))
    exchange.note.observed = [{ id, status: task.status }]
    if (task.status !== 'canceled') {
      throw new Problem('conflict', `Task ${id} has ${task.status} already and cannot be canceled any more.`)
    }
    return jsonText(200, taskText(exchange, task))
  },
}

/**
 * The task in the path.
 * @throws Problem 404 if it does not exist, or belongs to another key
 */
function ownTask(exchange: Exchange): Awaitable<Task> {
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
