import { after } from '../../engine/awaitable.js'
import type { Operation } from '../operation.js'
import { jsonText } from '../reply.js'
import { ownTask } from './own-task.js'
import { taskText } from './task-body.js'

/** Gives the whole task, as it is now. What clients ask for most waits for nothing but the store. */
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
