import type { Operation } from '../operation.js'
import { json } from '../reply.js'
import { ownTask } from './own-task.js'
import { taskBody } from './task-body.js'

/** Gives the whole task, as it is now. */
export const retrieveTask: Operation = {
  id: 'tasks.retrieve',
  authenticated: true,
  async run(exchange) {
    const task = await exchange.sim.tasks.poll(await ownTask(exchange))
    return json(200, taskBody(exchange, task))
  },
}
