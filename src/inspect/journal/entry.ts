import type { ControlUse, ForgetReason } from '../../engine/events.js'
import type { Observation } from '../../engine/observation.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Attempt, Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import type { RegisteredReceiver } from '../../engine/webhooks/receivers/receiver.js'

/** The type of an entry, with the state at the time of the entry. */
type EntryContent =
  | { readonly type: 'request'; readonly request: AnsweredRequest }
  /** A task was created, left the queue or ended. */
  | { readonly type: 'task'; readonly task: Task }
  /** An ended task was evicted or deleted. */
  | { readonly type: 'forgotten'; readonly taskId: string; readonly reason: ForgetReason }
  /** An attempt ended or, if `attempt` is undefined, a webhook fault dropped the delivery. */
  | { readonly type: 'delivery'; readonly delivery: Delivery; readonly attempt: Attempt | undefined }
  | { readonly type: 'receiver'; readonly receiver: RegisteredReceiver }
  | {
      readonly type: 'control'
      readonly what: ControlUse
      readonly taskId?: string | undefined
      readonly detail?: string | undefined
    }
  /** The test reported an action of its client. */
  | { readonly type: 'observation'; readonly observation: Observation }

/** One entry of the journal: numbered from 1, at a time in epoch milliseconds. */
export type Entry = { readonly number: number; readonly at: number } & EntryContent

/** The entry of an answered request. */
export type RequestEntry = Extract<Entry, { type: 'request' }>

export const ENTRY_TYPES = [
  'request',
  'task',
  'forgotten',
  'delivery',
  'receiver',
  'control',
  'observation',
] as const
