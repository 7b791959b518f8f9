import { taskChecker } from '../../../dialects/table/answers/check-rejected.js'
import { replyWith } from '../../../dialects/table/answers/task-answer.js'
import { taskText } from '../../../dialects/table/answers/task-text.js'
import type { DeleteOperation } from '../../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import type { ServiceHandler } from '../../operation.js'
import { ownTask } from '../one-task.js'

/** Deletes a task, or only its data. A task that has not ended is canceled first. */
export function deleteTask(
  { status = 204, answer, reject, keeps_record: keepsRecord = false }: DeleteOperation,
  endpoint: Endpoint,
): ServiceHandler {
  const text = taskText(endpoint.table, { own: answer })
  const check = taskChecker(endpoint, reject)
  return (exchange) => {
    const task = ownTask(exchange)
    check?.(task, exchange)
    const { tasks } = exchange.sim
    const deleted = keepsRecord ? tasks.erase(task.id) : tasks.delete(task.id)
    return replyWith(status, () => text.of(deleted ?? task, exchange, endpoint))
  }
}
