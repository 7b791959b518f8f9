import { mask } from '../../engine/mask.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import { instant } from '../instant.js'
import type { TaskBriefShape } from '../shapes.js'

/** What a line of a list and a whole task have in common. */
export function commonFields(task: Task): Omit<TaskBriefShape, 'prompt' | 'error' | 'held'> {
  const { id, model, kind, owner, status, cost, createdAt, startedAt, completedAt } = task
  return {
    id,
    model,
    kind,
    key: mask(owner),
    status,
    created_at: new Date(createdAt).toISOString(),
    started_at: instant(startedAt),
    completed_at: instant(completedAt),
    cost_usd: cost === undefined ? undefined : toDollars(cost),
  }
}
