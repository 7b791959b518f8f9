import type { Awaitable } from '../engine/awaitable.js'
import type { NewTask } from '../engine/tasks/new-task.js'
import type { Task } from '../engine/tasks/task.js'
import type { SimulatorParts } from './parts.js'

type CreatingParts = Pick<SimulatorParts, 'tasks' | 'webhooks' | 'time' | 'tracing'>

/**
 * Creates a task. If a webhook fault sends the webhook before the response to the create request, this resolves after the
 * task has ended and the webhook was sent.
 */
export function createTask(parts: CreatingParts, order: NewTask): Awaitable<Task> {
  const { tasks, webhooks, tracing } = parts
  const follow = order.follow ?? webhooks.followOf(order)
  const trace = order.trace ?? tracing.tracer?.beginTask()
  const isAsOrdered = follow === undefined && trace === undefined
  const task = tasks.create(isAsOrdered ? order : { ...order, follow, trace })
  return webhooks.planEarly(task) ? finishBeforeResponse(parts, task) : task
}

async function finishBeforeResponse({ tasks, webhooks, time }: CreatingParts, task: Task): Promise<Task> {
  await tasks.finish(task.id)
  await time.waitForReceivers(webhooks.earlyAttempts(task.id))
  return task
}
