/** One try to hand an event to a receiver. */
export interface Attempt {
  /** Counted from 1. */
  readonly number: number
  /** Epoch milliseconds on the simulator's clock. */
  readonly startedAt: number
  /** How long it took, in milliseconds of real time. */
  readonly took: number
  /** The status that the receiver answered with, where it answered. */
  readonly status: number | undefined
  /** Why there was no answer. */
  readonly error: string | undefined
  /** When the next attempt is due, in epoch milliseconds; undefined where there is none. */
  readonly retryAt: number | undefined
}

/** One event on its way to one receiver. */
export interface Delivery {
  readonly taskId: string
  readonly event: string
  /** The receiver's URL. */
  readonly url: string
  readonly state: 'pending' | 'delivered' | 'given_up'
  /** How many attempts were made. */
  readonly attempts: number
}
