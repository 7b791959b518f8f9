import type { DeliveryBriefShape } from '../../../control/shapes.js'

/** More than the server keeps. */
const MAX_DELIVERIES = 10_000

/** The latest deliveries. Pages of the list and entries of the stream may arrive repeatedly and in any order. */
export class DeliveryStore {
  readonly #deliveries = new Map<string, DeliveryBriefShape>()
  /** Newest first, because ids increase; undefined after a new delivery. */
  #sorted: readonly string[] | undefined

  get size(): number {
    return this.#deliveries.size
  }

  clear(): void {
    this.#deliveries.clear()
    this.#sorted = undefined
  }

  get(id: string): DeliveryBriefShape | undefined {
    return this.#deliveries.get(id)
  }

  /** Adds a delivery, or replaces an earlier state of it. */
  put(delivery: DeliveryBriefShape): void {
    const known = this.#deliveries.get(delivery.id)
    if (known !== undefined && isEarlier(delivery, known)) return
    this.#deliveries.set(delivery.id, delivery)
    if (known === undefined) this.#sorted = undefined
  }

  /** The matching deliveries, newest first. */
  list(test: (delivery: DeliveryBriefShape) => boolean): DeliveryBriefShape[] {
    const found: DeliveryBriefShape[] = []
    for (const id of this.#newestFirst()) {
      const delivery = this.#deliveries.get(id)
      if (delivery !== undefined && test(delivery)) found.push(delivery)
    }
    return found
  }

  #newestFirst(): readonly string[] {
    if (this.#sorted !== undefined) return this.#sorted
    const ids = [...this.#deliveries.keys()].sort().reverse()
    for (const id of ids.splice(MAX_DELIVERIES)) this.#deliveries.delete(id)
    this.#sorted = ids
    return ids
  }
}

/** Whether a delivery shows a state before that of another one. */
function isEarlier(one: DeliveryBriefShape, other: DeliveryBriefShape): boolean {
  if (one.attempts.length !== other.attempts.length) return one.attempts.length < other.attempts.length
  return one.state === 'pending' && other.state !== 'pending'
}
