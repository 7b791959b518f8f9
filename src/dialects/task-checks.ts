import type { Task } from '../engine/tasks/task.js'
import type { Call } from './call.js'

/** What a service checks before it does anything about a task. */
export interface TaskChecks {
  /**
   * Checks a request once its task is found.
   * @throws Problem if the service would reject the request
   */
  readonly checkTask?: ((task: Task, call: Call) => void) | undefined
}
