import type { Job } from '../../clock/schedule.js'
import type { BarriersParts } from './barriers.js'
import type { PendingDelivery } from './pending-delivery.js'

/** The deliveries of a new task, and the job that sends them. */
interface Waiting {
  readonly job: Job
  readonly deliveries: PendingDelivery[]
}

/**
 * Keeps the webhooks of a task in their order. Those of a new task wait until its create request has been answered, and
 * later ones wait behind them. It holds nothing for tasks without such webhooks.
 */
export class SendOrder {
  readonly #parts: BarriersParts
  /** By the id of the task. */
  readonly #waiting = new Map<string, Waiting>()

  constructor(parts: BarriersParts) {
    this.#parts = parts
  }

  /** Sends a webhook of a new task as soon as other work gets its turn, such as the answer to the create request. */
  defer(pending: PendingDelivery): void {
    const { clock, schedule } = this.#parts
    this.#add(pending, (flush) => schedule.at(clock.now(), flush))
  }

  /** Sends a webhook now, or behind those of its task that wait. */
  send(pending: PendingDelivery): void {
    if (this.#waiting.has(pending.delivery.taskId)) this.defer(pending)
    else this.#parts.send(pending)
  }

  /** Continues to delay a delivery of a simulator that was saved. @param startJob adds the job that sends it */
  restore(pending: PendingDelivery, startJob: (run: () => void) => Job): void {
    this.#add(pending, startJob)
  }

  /** Sends the webhooks of a task that wait. */
  flush(taskId: string): void {
    const waiting = this.#waiting.get(taskId)
    if (waiting === undefined) return
    this.#waiting.delete(taskId)
    waiting.job.cancel()
    for (const pending of waiting.deliveries) this.#parts.send(pending)
  }

  /** Drops all webhooks that wait. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#waiting.clear()
  }

  #add(pending: PendingDelivery, startJob: (flush: () => void) => Job): void {
    const { taskId } = pending.delivery
    const waiting = this.#waiting.get(taskId) ?? { job: startJob(() => this.flush(taskId)), deliveries: [] }
    this.#waiting.set(taskId, waiting)
    waiting.deliveries.push(pending)
    this.#parts.pending.wait(pending, { for: 'answer', job: waiting.job })
  }
}
