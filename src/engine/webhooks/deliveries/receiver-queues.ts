import { KeyedQueue, type Start } from '../../keyed-queue.js'
import { urlParts } from '../attempts/target-policy.js'
import type { PendingDelivery } from './pending-deliveries.js'

/** The maximum number of open POSTs: enough to keep a receiver busy, but too few to overload it. */
export const MAX_OPEN = {
  /** To one receiver, which is one path of an origin with any query. */
  perReceiver: 32,
  /** To all receivers of one origin together. */
  perOrigin: 256,
} as const

/** How many origins to remember without an open or waiting attempt. */
const MAX_IDLE = 100

/** Limits how many attempts are open at the same time. */
export class AttemptSlots {
  /** By origin, with one key per path. */
  readonly #origins = new Map<string, KeyedQueue>()

  /** Starts an attempt as soon as the receiver at the URL and its origin have a free slot. */
  add(url: string, start: Start): void {
    const { origin, pathname } = urlParts(url)
    const queue = this.#origins.get(origin) ?? this.#open(origin)
    queue.add(pathname, (release) => {
      start(() => {
        release()
        if (this.#origins.size <= MAX_IDLE || !queue.isIdle) return
        if (this.#origins.get(origin) === queue) this.#origins.delete(origin)
      })
    })
  }

  /** Drops the attempts that wait, and ignores the end of those that are open. */
  clear(): void {
    for (const queue of this.#origins.values()) queue.clear()
    this.#origins.clear()
  }

  #open(origin: string): KeyedQueue {
    const queue = new KeyedQueue({ perKey: MAX_OPEN.perReceiver, total: MAX_OPEN.perOrigin })
    this.#origins.set(origin, queue)
    return queue
  }
}

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
