import type { Task } from '../../engine/tasks/task.js'
import { maskUrl } from '../../engine/webhooks/mask-url.js'
import type { Simulator } from '../../simulator.js'
import { instant } from '../instant.js'
import type { PlanShape, TaskShape } from '../shapes.js'
import { commonFields } from './common-fields.js'

/** A task as the control API shows it: what a client sees, and what is planned. */
export function taskShape(task: Task, sim: Simulator, origin: string): TaskShape {
  return {
    ...commonFields(task),
    input: task.input,
    output: sim.outputs.of(
      task, // Nobody has come through any origin where the control API is used within the process.
      sim.publicOrigin(origin || task.origin),
      sim.clock.now(),
    ),
    error: task.error,
    webhook_url: task.webhookUrl && maskUrl(task.webhookUrl),
    held: sim.tasks.isHeld(task.id),
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
