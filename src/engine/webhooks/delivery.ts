/** What came back from a receiver. */
export interface Answer {
  /** The HTTP status. */
  readonly status: number
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  /** The first 4 KB of the body, as text. */
  readonly body?: string | undefined
  /** Why `body` is not the whole body, apart from its encoding; undefined if it is. The status counts all the same. */
  readonly partial?: string | undefined
}

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
  /** What was sent. */
  readonly sent: {
    /** By name. */
    readonly headers: Readonly<Record<string, string>>
    /** The exact bytes. */
    readonly body: Uint8Array
  }
  /** What was wrong with it on purpose, so that a receiver must not accept it; see {@link WebhookFault}. */
  readonly flaw: string | undefined
  /** What the receiver answered. */
  readonly answer: Answer | undefined
}

/** Where a delivery stands: still to be sent, accepted, given up, or lost on purpose. */
export const DELIVERY_STATES = ['pending', 'delivered', 'given_up', 'lost'] as const
/** Where a delivery stands. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One event on its way to one receiver. Values are never changed in place. */
export interface Delivery {
  /** Such as `dlv_00000001`. */
  readonly id: string
  /** The task that it tells of. */
  readonly taskId: string
  /** Such as `task.succeeded`. */
  readonly event: string
  /** The receiver's URL. */
  readonly url: string
  /** Where it stands. */
  readonly state: DeliveryState
  /** Epoch milliseconds on the simulator's clock. */
  readonly createdAt: number
  /** When the next attempt is due at the latest; undefined where one is under way, waits in line, or none is. */
  readonly nextAt: number | undefined
  /** Each POST of it that has ended, the first one first. */
  readonly attempts: readonly Attempt[]
  /** The bytes of the event as they should be. */
  readonly payload: Uint8Array<ArrayBuffer>
  /** The webhook fault rule that was applied to it. */
  readonly rule: string | undefined
  /** The delivery of which this is a duplicate or a repetition on demand. */
  readonly copyOf: string | undefined
}

const NO_ANSWER = 'no answer within'

/** Says of an attempt that its time, in milliseconds, was over. */
export function timeoutError(timeout: number): string {
  return `${NO_ANSWER} ${timeout / 1_000} s`
}

/** Whether it is what {@link timeoutError} says. */
export function isTimeout(error: string): boolean {
  return error.startsWith(NO_ANSWER)
}
