import type { Status } from '../../core/task/task.js'
import type { Delivery } from '../../core/webhook/delivery.js'
import type { Simulator } from '../../simulator.js'

/** Counts what happens in a simulator, over all its resets. */
export class RunRecord {
  requests = 0
  created = 0
  delivered = 0
  /** Whole micro-dollars. */
  cost = 0
  readonly ended: { [status in Status]?: number } = {}
  readonly #refused = new Map<string, Delivery>()
  readonly #forgotten: Delivery[] = []

  constructor(sim: Simulator) {
    sim.on('request.answered', () => {
      this.requests += 1
    })
    sim.on('task.created', () => {
      this.created += 1
    })
    sim.on('task.finished', ({ status, cost = 0 }) => {
      this.ended[status] = (this.ended[status] ?? 0) + 1
      this.cost += cost
    })
    sim.on('delivery.opened', ({ id }) => this.#forget(id))
    sim.on('delivery.attempted', (delivery) => this.#note(delivery))
  }

  /** Deliveries of which an attempt was refused that should have been accepted, and none was accepted later. */
  get undelivered(): readonly Delivery[] {
    return [...this.#forgotten, ...this.#refused.values()]
  }

  /** After a reset, ids begin anew: what had this one is another delivery, which will never be sent again. */
  #forget(id: string): void {
    const earlier = this.#refused.get(id)
    if (earlier === undefined) return
    this.#forgotten.push(earlier)
    this.#refused.delete(id)
  }

  #note(delivery: Delivery): void {
    if (delivery.state === 'delivered') {
      this.delivered += 1
      this.#refused.delete(delivery.id)
    } else if (delivery.attempts.some(({ flaw }) => flaw === undefined)) {
      this.#refused.set(delivery.id, delivery)
    }
  }
}
