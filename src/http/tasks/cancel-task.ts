import type { Operation } from '../operation.js'
import { Problem } from '../problem.js'
import { jsonText } from '../reply.js'
import { ownTask } from './own-task.js'
import { taskText } from './task-body.js'

/** Cancels a task that has not ended. Canceling it again changes nothing; another end is a conflict. */
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
