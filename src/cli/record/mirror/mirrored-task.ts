import type { JsonObject } from '../../../engine/json.js'
import { bytesOf } from '../../../engine/memory/bytes-of.js'
import type { Planner } from '../../../engine/tasks/planner.js'
import { toMicroDollars } from '../../../engine/tasks/pricing.js'
import {
  DEFAULT_TASK_ERROR,
  isTerminal,
  type Plan,
  SIMPLE_PLAN,
  type Task,
} from '../../../engine/tasks/task.js'
import type { NewTask } from '../../../engine/tasks/task-factory.js'
import type { ObservedTask } from '../../../record/history/observed-task.js'

/** What the first request about a task shows, besides its state, times and result. */
export interface MirroredOrder
  extends Pick<NewTask, 'owner' | 'origin'>,
    Partial<Pick<NewTask, 'model' | 'kind' | 'input' | 'webhookUrl' | 'extra'>> {
  /** Whether it has created the task, and was understood. */
  readonly isCreate: boolean
}

/** A mirrored task never ends by itself. */
const NO_PLAN: Plan = { ...SIMPLE_PLAN, outcome: 'stuck', price: { per_task: 0 } }

/** A task of the service, as one of a simulator. */
export function mirroredTask(
  observed: ObservedTask,
  order: MirroredOrder,
  planner: Planner,
  now: number,
): Task {
  const model = order.model ?? observed.model
  const input: JsonObject = order.input ?? observed.input ?? {}
  const kind = order.kind ?? observed.kind ?? planner.kindOf(model, input)
  return {
    id: observed.id,
    dialect: observed.dialect,
    identity: 0,
    owner: order.owner,
    model,
    kind,
    baseKind: planner.baseOf(kind),
    input,
    inputBytes: bytesOf(input),
    webhookUrl: order.webhookUrl,
    origin: order.origin,
    extra: order.extra,
    plan: NO_PLAN,
    media: undefined,
    follow: undefined,
    ...progressOf(observed, now),
  }
}

/** The state, the times and the result of a task. The clock of the service may be ahead of ours. */
function progressOf(
  { status, createdAt, startedAt, endedAt, output, error, costUsd }: ObservedTask,
  now: number,
) {
  const isOver = isTerminal(status)
  const past = (at: number | undefined) => (at === undefined ? undefined : Math.min(at, now))
  return {
    status,
    createdAt: Math.min(createdAt, now),
    startedAt: past(startedAt),
    completedAt: isOver ? (past(endedAt) ?? now) : undefined,
    polls: undefined,
    result: status === 'succeeded' ? { files: 0, output: output ?? {} } : undefined,
    error: status === 'failed' ? { ...DEFAULT_TASK_ERROR, ...withCode(error) } : undefined,
    cost: isOver && costUsd !== undefined ? toMicroDollars(costUsd) : undefined,
  }
}

function withCode(error: ObservedTask['error']): Partial<Task['error']> {
  if (error === undefined) return {}
  return { message: error.message, ...(error.code !== undefined && { code: error.code }) }
}
