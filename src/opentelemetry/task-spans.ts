import { type Attributes, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { toDollars } from '../engine/tasks/pricing.js'
import type { Task } from '../engine/tasks/task.js'
import type { Simulator } from '../simulator.js'
import { errorType } from './http-attributes.js'
import { instantOf, simulatorAttributes, taskAttributes } from './simulator-attributes.js'
import { contextOf } from './trace-context.js'

/**
 * Records a span for each state of each traced task, once the state is over. A task keeps nothing but its place in the
 * trace, so spans are complete even if the server was restarted meanwhile.
 * @returns functions that stop this
 */
export function recordTaskSpans(sim: Simulator, tracer: Tracer): (() => void)[] {
  return [
    sim.on('task.started', (task, at) => {
      record('queued', task, task.createdAt, at)
    }),
    sim.on('task.finished', (task, at) => {
      const { startedAt, createdAt, error } = task
      const name = startedAt === undefined ? 'queued' : 'processing'
      record(name, task, startedAt ?? createdAt, at, endAttributes(task), error?.message)
    }),
  ]

  function record(
    name: string,
    task: Task,
    from: number,
    to: number,
    attributes: Attributes = {},
    message?: string,
  ): void {
    const context = contextOf(task.trace)
    if (context === undefined) return
    const span = tracer.startSpan(
      name,
      {
        startTime: instantOf(from),
        attributes: { ...taskAttributes(task), ...simulatorAttributes(sim), ...attributes },
      },
      context,
    )
    if (message !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message })
    span.end(instantOf(to))
  }
}

/** How a task has ended. */
function endAttributes({ status, error, cost }: Task): Attributes {
  return {
    'tasksim.task.status': status,
    ...(cost !== undefined && { 'tasksim.task.cost_usd': toDollars(cost) }),
    ...errorType(error?.code),
  }
}
