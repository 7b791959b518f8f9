import type { Result, Task } from '../tasks/task.js'

/** A task as it was before its start. */
export function beforeStart(task: Task): Task {
  return { ...whileRunning(task), status: 'queued', startedAt: undefined }
}

/**
 * A task that has started, as it was before its end.
 * @param result the part of the result that was ready
 */
export function whileRunning(task: Task, result?: Result): Task {
  const none = { completedAt: undefined, polls: undefined, error: undefined, cost: undefined }
  return { ...task, ...none, status: 'processing', result }
}
