import type { Page } from './simulator-shapes.js'

/** One POST of a webhook. */
export interface AttemptShape {
  /** Counted from 1. */
  readonly number: number
  /** When it began. */
  readonly started_at: string | undefined
  /** Real milliseconds until the answer. */
  readonly took_ms: number
  /** What the receiver answered; not there where it did not. */
  readonly status?: number | undefined
  /** Why there was no answer. */
  readonly error?: string | undefined
  /** What was wrong with it on purpose. */
  readonly flaw?: string | undefined
  /** When the next attempt is due, where there is one. */
  readonly retry_at?: string | undefined
  /** What was sent. */
  readonly request: {
    /** By name. */
    readonly headers: Readonly<Record<string, string>>
    /** As text. */
    readonly body: string
    /** The very bytes, in base64. */
    readonly body_base64: string
  }
  /** What came back. */
  readonly response?:
    | {
        /** The HTTP status. */
        readonly status: number
        /** By lower-case name. */
        readonly headers?: Readonly<Record<string, string>> | undefined
        /** Up to 4 KB, as text. */
        readonly body?: string | undefined
        /** Why `body` is not the whole body; a delivery counts by its status all the same. */
        readonly partial?: string | undefined
      }
    | undefined
}

/** One event on its way to one receiver. */
export interface DeliveryShape {
  /** Such as `dlv_00000001`. */
  readonly id: string
  /** The task that it tells of. */
  readonly task_id: string
  /** Such as `task.succeeded`. */
  readonly event: string
  /** Where the receiver is; secrets in its query are masked. */
  readonly url: string
  /** `pending`, `delivered`, `given_up`, or `lost`, which was lost on purpose. */
  readonly state: string
  /** When the task ended. */
  readonly created_at: string | undefined
  /** When the next attempt is due at the latest. */
  readonly next_attempt_at?: string | undefined
  /** The webhook fault rule that was applied. */
  readonly fault?: string | undefined
  /** The delivery of which this is a duplicate, or a repetition on demand. */
  readonly copy_of?: string | undefined
  /** Each POST of it so far, the first one first. */
  readonly attempts: readonly AttemptShape[]
}

/** A page of deliveries, and how many there are in each state, whatever the page was asked for. */
export interface DeliveryPage extends Page<DeliveryShape> {
  /** How many there are by state. */
  readonly counts: Readonly<Record<string, number>>
}

/** Who gets the webhooks of every task. */
export interface ReceiverShape {
  /** Such as `rcv_1`. */
  readonly id: string
  /** Where webhooks go; secrets in its query are masked. */
  readonly url: string
  /** Who registered it: the `scenario`, an `option` at the start, or a request to the `control` API. */
  readonly source: string
  /** Whether it gets any; one that answers 410 is switched off. */
  readonly active: boolean
  /** Why it is switched off. */
  readonly off_because?: string | undefined
  /** Its own signing secret, masked. */
  readonly secret?: string | undefined
  /** The secret before a rotation, masked. */
  readonly previous_secret?: string | undefined
  /** The events that it gets; all unless given. */
  readonly events?: readonly string[] | undefined
  /** The waits before further attempts, in milliseconds; those of the scenario unless given. */
  readonly retries_ms?: readonly number[] | undefined
  /** How long an attempt may take, in milliseconds; as the scenario says unless given. */
  readonly timeout_ms?: number | undefined
  /** Whether it gets one event after the other, each when the one before it has ended. */
  readonly ordered: boolean
}
