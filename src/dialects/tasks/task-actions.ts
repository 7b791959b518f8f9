import { Problem } from '../../http/exchange/problem.js'
import { jsonText } from '../../http/exchange/reply.js'
import type { CancelAction, TaskAction } from '../action.js'
import { taskText } from './task-text.js'

/** `GET /tasks/{task_id}`. */
export const retrieveAction: TaskAction = {
  operation: 'tasks.retrieve',
  encode: (task, call) => jsonText(200, taskText(call, task)),
}

/** `POST /tasks/{task_id}/cancel`; a scenario may switch it off. */
export const cancelAction: CancelAction = {
  operation: 'tasks.cancel',
  check({ request, sim }) {
    if (!sim.scenario.api.cancel)
      throw new Problem('not_found', `There is nothing at ${request.method} ${request.path}.`)
  },
  encode: (task, call) => jsonText(200, taskText(call, task)),
}
