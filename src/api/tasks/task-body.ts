import { toDollars } from '../../core/task/pricing.js'
import type { Task } from '../../core/task/task.js'
import { isTerminal } from '../../core/task/task.js'
import type { Exchange } from '../operation.js'

/** A task as the API shows it; what it does not have yet is left out. */
export function taskBody({ sim, request }: Exchange, task: Task): object {
  const { id, model, status, input, error, createdAt, completedAt, cost } = task
  return {
    id,
    model,
    status,
    input,
    output: isTerminal(status)
      ? sim.outputs.of(task, sim.publicOrigin(request.origin), sim.clock.now())
      : undefined,
    error,
    cost_usd: cost === undefined ? undefined : toDollars(cost),
    created_at: new Date(createdAt).toISOString(),
    completed_at: completedAt === undefined ? undefined : new Date(completedAt).toISOString(),
  }
}
