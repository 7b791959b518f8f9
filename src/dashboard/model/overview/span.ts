import type { TaskBriefShape } from '../../../control/shapes.js'

/** A task with its times in epoch milliseconds. */
export interface Span {
  readonly id: string
  readonly task: TaskBriefShape
  readonly created: number
  readonly started: number | undefined
  readonly ended: number | undefined
}

/** Parsing thousands of times again for each change would take too long. A changed task is another object. */
const spans = new WeakMap<TaskBriefShape, Span>()

/** The times of a task. */
export function spanOf(task: TaskBriefShape): Span {
  const known = spans.get(task)
  if (known !== undefined) return known
  const span = {
    id: task.id,
    task,
    created: Date.parse(task.created_at),
    started: instant(task.started_at),
    ended: instant(task.completed_at),
  }
  spans.set(task, span)
  return span
}

function instant(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at)
}
