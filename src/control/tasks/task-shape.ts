import { isoTime } from '../../engine/clock/instants.js'
import { mask, maskUrl } from '../../engine/mask.js'
import { promptOf } from '../../engine/tasks/input.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import { evictionHint, Problem } from '../../exchange/problem.js'
import type { Exchange } from '../../http/operation.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { PlanShape, TaskBriefShape, TaskShape } from '../shapes.js'

/** A task in a list, without input and output, which may be large. */
export function briefShape(task: Task, held: boolean): TaskBriefShape {
  const { input, error, result } = task
  const files = result?.files || undefined
  return { ...commonFields(task), prompt: promptOf(input), error: error?.code, files, held }
}

/** A task as the client sees it, with its plan. */
export function taskShape(task: Task, sim: Simulator, origin: string): TaskShape {
  return {
    ...commonFields(task),
    input: task.input,
    output: sim.outputs.of(
      task,
      // In process, the request has no origin.
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
    ends_at: isTimed ? isoTime(startedAt + end.after) : undefined,
    ends_at_poll: 'polls' in end ? end.polls : undefined,
    error,
    rule,
  }
}

function commonFields(task: Task): Omit<TaskBriefShape, 'prompt' | 'error' | 'files' | 'held'> {
  const { id, model, kind, dialect, owner, status, cost, createdAt, startedAt, completedAt } = task
  return {
    id,
    model,
    kind,
    dialect,
    key: mask(owner),
    status,
    created_at: isoTime(createdAt),
    started_at: isoTime(startedAt),
    completed_at: isoTime(completedAt),
    cost_usd: cost === undefined ? undefined : toDollars(cost),
  }
}

/** The documentation of the parameter in paths of one task. */
export const TASK_ID = { id: 'The id of the task' }

/**
 * The task in the path, which becomes the task of the exchange.
 * @throws Problem 404 if there is none
 */
export function taskOf(exchange: Exchange): Task {
  const [id = ''] = exchange.params
  const task = taskWithId(id, exchange.sim)
  exchange.taskId = id
  return task
}

/** @throws Problem 404 if there is no task with the id */
export function taskWithId(id: string, sim: Simulator): Task {
  const task = sim.tasks.get(id)
  if (task !== undefined) return task
  throw new Problem('task_not_found', `There is no task ${id.slice(0, 100)}.${evictionHint(sim.tasks)}`)
}
