import type { AnsweredRequest } from '../../engine/events.js'
import { maskUrl } from '../../engine/mask.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { DeliveryShape } from '../shapes.js'
import { deliveryShape } from '../webhooks/delivery-shape.js'

/** What a simulator knows about a task, apart from the task itself. */
export interface TaskTrace {
  /** The time on the clock of the simulator. */
  readonly now: number
  readonly isHeld: boolean
  /** The request that created it; undefined if the journal has forgotten it. */
  readonly created: AnsweredRequest | undefined
  /** The request that canceled it. */
  readonly cancel: AnsweredRequest | undefined
  /** Whether webhooks about it were sent, and have all ended. */
  readonly hasWebhooks: boolean
  readonly deliveries: readonly DeliveryShape[]
  /** The statuses with which receivers answered, in order; 0 for none. */
  readonly answers: readonly number[]
  readonly receivers: readonly string[]
}

/** The operations that can cancel a task. */
export const CANCELS: ReadonlySet<string> = new Set(['tasks.cancel', 'tasks.delete', 'tasks.cancel_queued'])

/** Collects what a simulator knows about a task. */
export function traceOf(task: Task, sim: Simulator): TaskTrace {
  const requests = requestsAbout(task.id, sim)
  const { deliveries = [] } = sim.webhooks.log.list({ taskId: task.id, limit: 50 }) ?? {}
  const ordered = [...deliveries].reverse()
  const attempts = ordered.flatMap((delivery) => delivery.attempts)
  const known = new Set(sim.scenario.webhooks.receivers.map(({ url }) => url))
  const others = ordered.filter(({ url, isOwn, registration }) => !isOwn && !registration && !known.has(url))
  return {
    now: sim.clock.now(),
    isHeld: task.completedAt === undefined && sim.tasks.isHeld(task.id),
    created: requests.find(({ operation, delivered }) => operation === 'tasks.create' && delivered),
    cancel: requests.find(({ operation = '', status }) => CANCELS.has(operation) && status < 400),
    hasWebhooks: ordered.length > 0 && ordered.every(({ state }) => state !== 'pending'),
    deliveries: ordered.map(deliveryShape),
    answers: attempts.sort((a, b) => a.startedAt - b.startedAt).map(({ status = 0 }) => status),
    receivers: [...new Set(others.map(({ url }) => maskUrl(url)))],
  }
}

/** The requests about a task in the journal, oldest first. */
export function requestsAbout(id: string, { journal }: Simulator): AnsweredRequest[] {
  return journal
    .entries()
    .flatMap((entry) => (entry.type === 'request' && entry.request.taskId === id ? [entry.request] : []))
}
