import type { ControlUse, ForgetReason } from '../../engine/events.js'
import { bytesOf, bytesOfDelivery, bytesOfResult } from '../../engine/memory/bytes-of.js'
import type { Observation } from '../../engine/observation.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { promptOf } from '../../engine/tasks/input.js'
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

const ENTRY_BYTES = 400
/** The journal stores inputs and outputs up to this size, in bytes. */
const MAX_TASK_BYTES = 4_096

/** Copies a task for the journal. The copy of a large task has no output, and only the start of the prompt as input. */
export function compactTask(task: Task): Task {
  const isSmall = task.inputBytes <= MAX_TASK_BYTES && bytesOfResult(task) <= MAX_TASK_BYTES
  if (isSmall) return task
  const { result } = task
  const input = { prompt: promptOf(task.input) }
  return {
    ...task,
    input,
    inputBytes: bytesOf(input),
    result: result && { ...result, output: undefined },
  }
}

/** Estimates the memory that an entry retains, in bytes. */
export function bytesOfEntry(entry: Entry): number {
  switch (entry.type) {
    case 'request':
      return ENTRY_BYTES + bytesOfRequest(entry.request)
    case 'task':
      return ENTRY_BYTES + entry.task.inputBytes + bytesOfResult(entry.task)
    case 'delivery':
      return ENTRY_BYTES + bytesOfDelivery(entry.delivery)
    case 'observation':
      return ENTRY_BYTES + bytesOf(entry.observation)
    default:
      return ENTRY_BYTES
  }
}

function bytesOfRequest({ path, query, note }: AnsweredRequest): number {
  const { requestBody, responseBody, cause, headers, unknownFields } = note
  let bytes = path.length + query.length + bytesOf(requestBody) + bytesOf(responseBody)
  if (cause !== undefined && 'message' in cause)
    bytes += bytesOf(cause.message) + bytesOf(cause.known?.reason)
  if (unknownFields !== undefined) bytes += bytesOf(unknownFields)
  return headers === undefined ? bytes : bytes + headers.bytes
}
