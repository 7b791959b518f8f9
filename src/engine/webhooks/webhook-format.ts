import type { Awaitable } from '../awaitable.js'
import type { JsonObject } from '../json.js'
import type { Outcome, Task } from '../tasks/task.js'

/** The events of tasks, whatever a service calls them. */
export const TASK_EVENTS = ['task.succeeded', 'task.failed', 'task.canceled'] as const
/** An event of a task, whatever a service calls it. */
export type TaskEvent = (typeof TASK_EVENTS)[number]

type Bytes = Uint8Array<ArrayBuffer>
type Headers = Readonly<Record<string, string>>

/** A webhook to sign. */
export interface WebhookMessage {
  /** The id of the delivery; the same for each retry. */
  readonly id: string
  /** When it is sent, in epoch milliseconds. */
  readonly at: number
  readonly body: Bytes
}

/** When a service retries a webhook, and when it gives up. */
interface RetryRules {
  /** The waits before each further attempt, in milliseconds. */
  readonly retries: readonly number[]
  /** The timeout of an attempt, in milliseconds. */
  readonly timeout: number
  /** Whether a retry waits at least for the time in `Retry-After`. */
  readonly honorsRetryAfter: boolean
}

/** How a service writes, signs and retries webhooks. */
export interface WebhookFormat extends RetryRules {
  /** The signing secret of receivers without one of their own. */
  readonly secret: string
  /** The signing secret before a rotation. */
  readonly previousSecret: string
  /** A task id for examples. */
  readonly exampleTaskId: string
  /** The service's name for an event; undefined if it does not send the event. */
  nameOf(event: TaskEvent): string | undefined
  /** The event that a name means, whether it is the service's name or ours. */
  eventOf(name: string): TaskEvent | undefined
  /**
   * Writes a body. All receivers and retries of an event get the same bytes.
   * @param name the service's name for the event
   */
  body(name: string, task: Task, output: JsonObject | undefined): Bytes
  /** Returns further headers of a webhook. */
  readonly headers?: ((name: string, task: Task) => Headers) | undefined
  /** Makes a body claim another end of the task, as a forger would. */
  forge(body: Bytes): Bytes
  /** Returns the headers that sign a webhook. */
  sign(message: WebhookMessage, secret: string): Awaitable<Headers>
  /** Headers in place of those of {@link sign} that do not have the form of a signature. */
  readonly malformed: Headers
}

/** The event of a task that ends this way; undefined if it never ends. */
export function eventOfEnd(end: Outcome | Task['status']): TaskEvent | undefined {
  return TASK_EVENTS.find((event) => event === `task.${end}`)
}

/** Whether a service signs its webhooks, so that a receiver can reject a forged one. */
export function isSigned({ malformed }: WebhookFormat): boolean {
  return Object.keys(malformed).length > 0
}
