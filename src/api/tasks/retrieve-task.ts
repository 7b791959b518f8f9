import type { Operation } from '../operation.js'
import { jsonText } from '../reply.js'
import { ownTask } from './own-task.js'
import { taskText } from './task-body.js'

/** Gives the whole task, as it is now. */
export const retrieveTask: Operation = {
  id: 'tasks.retrieve',
  authenticated: true,
  async run(exchange) {
    const found = await ownTask(exchange)
    const task = 'polls' in found.plan.end ? await exchange.sim.tasks.poll(found) : found
    return jsonText(200, taskText(exchange, task))
  },
}
