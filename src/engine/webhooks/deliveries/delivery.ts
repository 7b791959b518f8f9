import type { TaskEvent } from '../events/task-event.js'

/** The response of a receiver. */
export interface Answer {
  /** The HTTP status. */
  readonly status: number
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  /** The first 4 KB of the body, as text. */
  readonly body?: string | undefined
  /** Why `body` is incomplete; undefined if it is complete. The status counts in both cases. */
  readonly partial?: string | undefined
}

/** One POST of an event to a receiver. */
export interface Attempt {
  /** The number of the attempt, from 1. */
  readonly number: number
  /** Epoch milliseconds on the simulator's clock. */
  readonly startedAt: number
  /** Its duration in milliseconds of real time. */
  readonly took: number
  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** Why there was no response. */
  readonly error: string | undefined
  /** When the next attempt is due, in epoch milliseconds; undefined if there is none. */
  readonly retryAt: number | undefined
  /** The request. */
  readonly sent: {
    /** By name. */
    readonly headers: Readonly<Record<string, string>>
    /** The exact bytes. */
    readonly body: Uint8Array
  }
  /**
   * The webhook fault for which a receiver must reject the request, such as `truncated`; undefined if there is none.
   */
  readonly flaw: string | undefined
  /** The response; undefined if there was none. */
  readonly answer: Answer | undefined
}

/** The states of a delivery: not ended, accepted, given up, or lost by a webhook fault. */
export const DELIVERY_STATES = ['pending', 'delivered', 'given_up', 'lost'] as const
/** The state of a delivery. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The delivery of one event to one receiver. Deliveries are immutable. */
export interface Delivery {
  /** Such as `dlv_00000001`. */
  readonly id: string
  /** The task of the event. */
  readonly taskId: string
  /** The name of the wire format that writes and signs it. */
  readonly format: string
  /** The service's name for the event, such as `task.succeeded`. */
  readonly event: string
  /** The event, whatever the service calls it. */
  readonly taskEvent: TaskEvent
  /** The receiver's URL. */
  readonly url: string
  /** The id of the receiver, if a client registered it through the API of its service. */
  readonly registration?: string | undefined
  /** Whether the request of the task names the receiver. */
  readonly isOwn?: boolean | undefined
  /** Its state. */
  readonly state: DeliveryState
  /** Epoch milliseconds on the simulator's clock. */
  readonly createdAt: number
  /** When the next attempt is due at the latest; undefined if an attempt is running or queued, or if none follows. */
  readonly nextAt: number | undefined
  /** The attempts that have ended, in order. */
  readonly attempts: readonly Attempt[]
  /** The bytes of the event without any fault. */
  readonly payload: Uint8Array<ArrayBuffer>
  /** Further headers of the event. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The webhook fault rule that applied. */
  readonly rule: string | undefined
  /** The id of the delivery that this one duplicates or repeats. */
  readonly copyOf: string | undefined
}

/** Whether an attempt sent the bytes of the event without any fault. */
export function sendsPayload({ sent: { body } }: Attempt, { payload }: Pick<Delivery, 'payload'>): boolean {
  return body.length === payload.length && body.every((byte, index) => byte === payload[index])
}

/** The part of a delivery that is the same for all receivers. */
export type EventContent = Pick<Delivery, 'taskId' | 'format' | 'event' | 'taskEvent' | 'payload' | 'headers'>

const NO_ANSWER = 'no answer within'

/** The error of an attempt that exceeded its timeout, in milliseconds. */
export function timeoutError(timeout: number): string {
  return `${NO_ANSWER} ${timeout / 1_000} s`
}

/** Whether an error comes from {@link timeoutError}. */
export function isTimeout(error: string): boolean {
  return error.startsWith(NO_ANSWER)
}
