import { promptOf } from '../../engine/tasks/prompt.js'
import type { Task } from '../../engine/tasks/task.js'
import type { TaskBriefShape } from '../shapes.js'
import { commonFields } from './common-fields.js'

/** As much of a task as one line of a list shows, whatever its input weighs. */
export function briefShape(task: Task, held: boolean): TaskBriefShape {
  return {
    ...commonFields(task),
    prompt: promptOf(task.input),
    error: task.error?.code,
    held,
  }
}
