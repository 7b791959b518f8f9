import type { Awaitable } from '../awaitable.js'
import type { JsonObject } from '../json.js'
import type { LogLine } from '../progress/log-lines.js'
import type { Follow, Task } from '../tasks/task.js'
import { END_EVENTS, TASK_EVENTS, type TaskEvent } from './events/task-event.js'

type Bytes = Uint8Array<ArrayBuffer>

type Headers = Readonly<Record<string, string>>

/** A webhook to sign. */
export interface WebhookMessage {
  /** The id of the delivery; the same for each retry. */
  readonly id: string
  /** When it is sent, in epoch milliseconds. */
  readonly at: number
  readonly body: Bytes
  /** Where it is sent. */
  readonly url?: string | undefined
  /** Whether the request of its task names the receiver. */
  readonly isOwn?: boolean | undefined
  /** The id of its task, for faults of the content. */
  readonly task?: string | undefined
}

/** A task at the time of an event. */
export interface TaskAtEvent {
  readonly task: Task
  /** Epoch milliseconds. */
  readonly at: number
  /** The output, with URLs; before the end, as far as it is ready. */
  readonly output: JsonObject | undefined
  /** Returns the progress, from 0 to 1. */
  progress(): number
  /** Returns the log up to now. */
  logs(): readonly LogLine[]
}

/** When a service retries a webhook, and when it gives up. */
interface RetryRules {
  /** Returns the waits before each further attempt to deliver an event, in milliseconds. */
  retriesOf(event: TaskEvent): readonly number[]
  /** Whether a 4xx status ends the retries. */
  readonly stopsOn4xx: boolean
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
  /** The service's name for an event; undefined if it does not send the event, or not about the given task. */
  nameOf(event: TaskEvent, task?: Pick<Task, 'extra'>): string | undefined
  /** The service's name for an event of a task whose state has a name of its own; by default, that of all such tasks. */
  readonly nameAt?: ((name: string, state: TaskAtEvent) => string) | undefined
  /** The event that a name means, whether it is the service's name or ours. */
  eventOf(name: string): TaskEvent | undefined
  /** The intervals of the events about logs and outputs, as far as the service sends them. */
  readonly follow?: Follow | undefined
  /** Whether the request of a task asks for an event at the task's own receiver; by default, it asks for all. */
  readonly isRequested?: ((event: TaskEvent, task: Pick<Task, 'extra'>) => boolean) | undefined
  /** Whether the request of such a task can name a receiver for its end. */
  takesUrl(task: Pick<Task, 'extra'>): boolean
  /** The receivers that the request of a task names, if it can name several. */
  readonly ownUrls?: ((task: Pick<Task, 'webhookUrl' | 'extra'>) => readonly string[]) | undefined
  /** Whether they replace the receivers that the client has registered. */
  readonly replacesRegistered?: boolean | undefined
  /**
   * Writes a body. All receivers and retries of an event get the same bytes.
   * @param name the service's name for the event
   */
  body(name: string, state: TaskAtEvent): Bytes
  /** Returns further headers of a webhook. */
  readonly headers?: ((name: string, state: TaskAtEvent) => Headers) | undefined
  /** Makes a body claim another end of the task, as a forger would. */
  forge(body: Bytes): Bytes
  /**
   * Returns the headers that sign a webhook.
   * @param otherSecret also signs it during a rotation, if the service allows several signatures
   */
  sign(message: WebhookMessage, secret: string, otherSecret?: string): Awaitable<Headers>
  /**
   * Reads what was signed from a received webhook, to verify it.
   * @param headers by lower-case name
   * @returns undefined if the headers do not have the form of a signature
   */
  messageIn(headers: Headers, body: Bytes): WebhookMessage | undefined
  /** Whether the signature covers the time, so that a receiver can reject a webhook that someone has recorded. */
  readonly signsTime: boolean
  /** Headers in place of those of {@link sign} that do not have the form of a signature. */
  readonly malformed: Headers
}

/** Whether a service sends webhooks about the ends of tasks. */
export function announcesEnds(format: WebhookFormat): boolean {
  return END_EVENTS.some((event) => format.nameOf(event) !== undefined)
}

/** Whether a service signs its webhooks, so that a receiver can reject a forged one. */
export function isSigned({ malformed }: WebhookFormat): boolean {
  return Object.keys(malformed).length > 0
}

/** The events that a service sends. */
export function sentEvents({ nameOf }: Pick<WebhookFormat, 'nameOf'>): readonly TaskEvent[] {
  return TASK_EVENTS.filter((event) => nameOf(event) !== undefined)
}

/**
 * Explains why a service sends no such event. Returns undefined if it does.
 * @param name the name of the event, in any spelling
 * @param dialect the name of the service's wire format
 */
export function flawOfEvent(
  name: string,
  dialect: string,
  format: Pick<WebhookFormat, 'nameOf' | 'eventOf'>,
): string | undefined {
  const event = format.eventOf(name)
  if (event !== undefined && format.nameOf(event) !== undefined) return undefined
  const sent = sentEvents(format)
  const remedy = sent.length === 0 ? 'It sends no webhooks' : `It sends ${sent.join(', ')}`
  return `The dialect ${dialect} does not send ${name}. ${remedy}.`
}
