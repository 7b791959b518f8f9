import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { toDollars } from '../engine/tasks/pricing.js'
import type { Task } from '../engine/tasks/task.js'
import type { TraceContext, TracedDelivery } from '../engine/tracing.js'
import type { Attempt, Delivery } from '../engine/webhooks/deliveries/delivery.js'
import type { Simulator } from '../simulator/simulator.js'
import {
  attemptAttributes,
  attemptDetails,
  attemptError,
  errorType,
  instantOf,
  simulatorAttributes,
  taskAttributes,
} from './attributes.js'
import { contextOf, writeTraceContext } from './trace-context.js'

/** The spans of the webhook attempts that are in flight. */
export class AttemptSpans {
  readonly #sim: Simulator
  readonly #tracer: Tracer
  /** By delivery, which has one attempt at a time. */
  readonly #open = new Map<string, Span>()

  constructor(sim: Simulator, tracer: Tracer) {
    this.#sim = sim
    this.#tracer = tracer
  }

  /** Starts the span of an attempt. @returns undefined if the task is not traced, or was deleted */
  begin({ id, taskId }: TracedDelivery): TraceContext | undefined {
    const { tasks, clock } = this.#sim
    const task = tasks.get(taskId)
    const context = contextOf(task?.trace)
    if (task === undefined || context === undefined) return undefined
    const span = this.#tracer.startSpan(
      'POST webhook',
      {
        kind: SpanKind.CLIENT,
        startTime: instantOf(clock.now()),
        attributes: { ...taskAttributes(task), ...simulatorAttributes(this.#sim) },
      },
      context,
    )
    this.#open.set(id, span)
    return writeTraceContext(span.spanContext())
  }

  /** Ends the span of an attempt. */
  end(delivery: Delivery, attempt: Attempt): void {
    const span = this.#open.get(delivery.id)
    if (span === undefined) return
    this.#open.delete(delivery.id)
    span.setAttributes({ ...attemptAttributes(delivery, attempt), ...attemptDetails(delivery, attempt) })
    if (attemptError(attempt) !== undefined)
      span.setStatus({ code: SpanStatusCode.ERROR, ...(attempt.error && { message: attempt.error }) })
    span.end(instantOf(this.#sim.clock.now()))
  }

  /** Forgets the attempts in flight. */
  clear(): void {
    this.#open.clear()
  }
}

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
