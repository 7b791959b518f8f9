import type { DeliveryShape, ReceiverShape } from './delivery-shapes.js'
import type { TaskBriefShape } from './simulator-shapes.js'

/** What every line of the journal has. */
interface LineShape<Type extends string> {
  /** Counted from 1; it names the line. */
  readonly number: number
  /** When it happened. */
  readonly at: string
  /** What the line tells of. */
  readonly type: Type
}

/** A request was answered. */
export interface RequestEntryShape extends LineShape<'request'>, RequestShape {}

/** A task has come into a state. */
export interface TaskEntryShape extends LineShape<'task'>, Omit<TaskBriefShape, 'id' | 'held'> {
  /** Which task. */
  readonly task_id: string
  /** The rule that decided what becomes of it. */
  readonly rule?: string | undefined
}

/** A webhook was sent, or lost on purpose. */
export interface DeliveryEntryShape extends LineShape<'delivery'> {
  /** The attempt that has ended; none where the delivery was lost on purpose. */
  readonly attempt?: number | undefined
  /** The delivery as it was then. */
  readonly delivery: DeliveryShape
}

/** A receiver was switched off. */
export interface ReceiverEntryShape extends LineShape<'receiver'> {
  /** Which one. */
  readonly receiver: ReceiverShape
}

/** Somebody has turned the simulator itself. */
export interface ControlEntryShape extends LineShape<'control'> {
  /** What was turned: `clock`, `scenario` or `reset`. */
  readonly what: string
}

/** The test has told what cannot be seen from outside the client. */
export interface ObservationEntryShape extends LineShape<'observation'> {
  /** What the client did: `webhook.processed` or `output.kept`. */
  readonly what: string
  /** The task that it is about. */
  readonly task_id: string
  /** Who processed a webhook, where several parts of a client get the same ones. */
  readonly by?: string | undefined
  /** What was kept of an output: `url` or `file`. */
  readonly as?: string | undefined
}

/** A line of the journal. */
export type EntryShape =
  | RequestEntryShape
  | TaskEntryShape
  | DeliveryEntryShape
  | ReceiverEntryShape
  | ControlEntryShape
  | ObservationEntryShape

/** An answered request, as the journal keeps it. */
export interface RequestShape {
  /** Such as `req_00000003`; the answer had it as `X-Request-Id`. */
  readonly id: string
  /** Such as `POST`. */
  readonly method: string
  /** As the client sent it, without the query. */
  readonly path: string
  /** Without its question mark; may be empty. */
  readonly query: string
  /** Such as `tasks.create`, where the path has one. */
  readonly operation?: string | undefined
  /** What it was answered with; 0 where a fault let nothing be answered. */
  readonly status: number
  /** Whether the client got the whole answer. */
  readonly delivered: boolean
  /** After how many milliseconds it was told to come again. */
  readonly retry_after_ms?: number | undefined
  /** The API key, masked; empty where there was none. */
  readonly key: string
  /** The task that it created or that its path names; a rejected request may name one that does not exist. */
  readonly task_id?: string | undefined
  /** The rule whose fault befell it. */
  readonly fault?: string | undefined
  /** Real milliseconds until the answer. */
  readonly took_ms: number
  /** Up to 16 KB of what was sent. */
  readonly request_body?: string | undefined
  /** Up to 16 KB of what was answered. */
  readonly response_body?: string | undefined
}
