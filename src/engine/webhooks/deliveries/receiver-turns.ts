import { KeyedQueue } from '../../keyed-queue.js'
import type { PendingDelivery } from './pending-delivery.js'

/** Lets only one delivery at a time go to each ordered receiver. */
export class ReceiverTurns {
  /** By the URL of the receiver. */
  readonly #queue = new KeyedQueue({ perKey: 1 })
  /** Ends the turn of a delivery, by its id. */
  readonly #releases = new Map<string, () => void>()

  /** Begins a delivery: at once, or after the previous one if the receiver is ordered. */
  take({ delivery, receiver }: PendingDelivery, begin: () => void): void {
    if (!receiver.ordered) {
      begin()
      return
    }
    this.#queue.add(receiver.url, (release) => {
      this.#releases.set(delivery.id, release)
      begin()
    })
  }

  /** Ends the turn of a delivery, which begins the next one to the same receiver. */
  end(id: string): void {
    const release = this.#releases.get(id)
    this.#releases.delete(id)
    release?.()
  }

  /** Drops all deliveries. */
  clear(): void {
    this.#queue.clear()
    this.#releases.clear()
  }
}
