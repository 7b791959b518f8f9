import type { Operation } from '../operation.js'
import { jsonText } from '../reply.js'
import { ownTask } from './own-task.js'
import { taskText } from './task-body.js'

/** Gives the whole task, as it is now. */
export const retrieveTask: Operation = {
  id: 'tasks.retrieve',
  authenticated: true,
  async run(exchange) {
    const task = await exchange.sim.tasks.poll(await ownTask(exchange))
    exchange.note.shown = [{ id: task.id, status: task.status }]
    return jsonText(200, taskText(exchange, task))
  },
}
