import { toDollars } from '../../../core/task/pricing.js'
import type { Task } from '../../../core/task/task.js'
import type { Simulator } from '../../../simulator.js'
import { mask } from '../../authenticate.js'
import { instant } from '../instant.js'
import type { PlanShape, TaskShape } from '../shapes.js'

/** A task as the control API shows it: what a client sees, and what is planned. */
export function taskShape(task: Task, sim: Simulator, origin: string): TaskShape {
  const { id, model, kind, owner, status, input, error, cost, webhookUrl, createdAt } = task
  return {
    id,
    model,
    kind,
    key: mask(owner),
    status,
    input,
    output: sim.outputs.of(
      task, // Nobody has come through any origin where the control API is used within the process.
      sim.publicOrigin(origin || task.origin),
      sim.clock.now(),
    ),
    error,
    cost_usd: cost === undefined ? undefined : toDollars(cost),
    webhook_url: webhookUrl,
    created_at: new Date(createdAt).toISOString(),
    started_at: instant(task.startedAt),
    completed_at: instant(task.completedAt),
    held: sim.tasks.isHeld(id),
    plan: planShape(task),
  }
}

function planShape({ plan, startedAt }: Task): PlanShape {
  const { outcome, end, error, rule } = plan
  const isTimed = 'after' in end && startedAt !== undefined && outcome !== 'stuck'
  return {
    outcome,
    ends_at: isTimed ? instant(startedAt + end.after) : undefined,
    ends_at_poll: 'polls' in end ? end.polls : undefined,
    error,
    rule,
  }
}
