import type { Attempt, Delivery } from '../../engine/webhooks/deliveries/delivery.js'

/** A receiver whose last attempt failed. Times are epoch milliseconds. */
export interface FailingReceiver {
  readonly url: string
  /** When the first of the failures in a row happened. */
  readonly since: number
  /** How many attempts in a row failed. */
  readonly failures: number
  /** The last attempt. */
  readonly attempt: Attempt
  /** The delivery of that attempt. */
  readonly deliveryId: string
}

/** Beyond this number, the receiver that began to fail first is forgotten. */
const MAX_RECEIVERS = 200

/** Finds out which receivers fail now, from the attempts in the order of their ends. */
export class FailingReceivers {
  readonly #failing = new Map<string, FailingReceiver>()

  /** Adds an attempt that has ended. */
  add({ id: deliveryId, url }: Pick<Delivery, 'id' | 'url'>, attempt: Attempt): void {
    // A receiver must reject such an attempt.
    if (attempt.flaw !== undefined) return
    const { status = 0, startedAt } = attempt
    if (status >= 200 && status < 300) {
      this.#failing.delete(url)
      return
    }
    const { since = startedAt, failures = 0 } = this.#failing.get(url) ?? {}
    this.#failing.set(url, { url, since, failures: failures + 1, attempt, deliveryId })
    const [first] = this.#failing.keys()
    if (this.#failing.size > MAX_RECEIVERS && first !== undefined) this.#failing.delete(first)
  }

  /** The last one that failed comes first. */
  list(): readonly FailingReceiver[] {
    return [...this.#failing.values()].sort((a, b) => b.attempt.startedAt - a.attempt.startedAt)
  }
}
