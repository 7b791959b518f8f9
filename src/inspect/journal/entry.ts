import type { AnsweredRequest, ControlUse } from '../../engine/events.js'
import type { Observation } from '../../engine/observation.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Attempt, Delivery } from '../../engine/webhooks/delivery.js'
import type { RegisteredReceiver } from '../../engine/webhooks/receivers.js'

/** What happened, and the values that it happened to as they were then. */
type Happening =
  | { readonly type: 'request'; readonly request: AnsweredRequest }
  /** A task was created, left the queue, or ended. */
  | { readonly type: 'task'; readonly task: Task }
  /** An attempt has ended; without one, the delivery was lost on purpose. */
  | { readonly type: 'delivery'; readonly delivery: Delivery; readonly attempt: Attempt | undefined }
  | { readonly type: 'receiver'; readonly receiver: RegisteredReceiver }
  | { readonly type: 'control'; readonly what: ControlUse }
  /** The test has told something of its client. */
  | { readonly type: 'observation'; readonly observation: Observation }

/** One line of the journal: numbered from 1 on, at an instant in epoch milliseconds. */
export type Entry = { readonly number: number; readonly at: number } & Happening

export const ENTRY_TYPES = ['request', 'task', 'delivery', 'receiver', 'control', 'observation'] as const
