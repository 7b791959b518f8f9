import type { Task } from '../engine/tasks/task.js'
import type { ServiceExchange } from './operation.js'

/** Whether the client of an exchange can see a task: its key and dialect, and the type of the operation. */
export function isOwn(task: Task, { key, dialect, operation }: ServiceExchange): boolean {
  return task.owner === key && task.dialect === dialect.name && operation.action?.owns?.(task) !== false
}
