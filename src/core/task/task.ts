import type { MediaOrder } from '../asset/media-order.js'
import type { ReplySettings } from '../scenario/schema-reply.js'
import type { Mischief } from '../webhook/mischief.js'
import type { Price } from './pricing.js'

/** What a model makes. */
export const KINDS = ['image', 'video', 'audio', 'tool', 'llm'] as const
export type Kind = (typeof KINDS)[number]

/** The states of a task, in the service's spelling. */
export const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const
export type Status = (typeof STATUSES)[number]

export function isStatus(value: unknown): value is Status {
  return STATUSES.some((status) => status === value)
}

/** How a task will end; `stuck` never does. */
export const OUTCOMES = ['succeeded', 'failed', 'canceled', 'stuck'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue
}

/** Why a task failed, as the client gets to see it. */
export interface TaskError {
  readonly code: string
  readonly message: string
}

/** What will happen to a task: drawn once, when it is created, and not touched by a later change of scenario. */
export interface Plan {
  readonly outcome: Outcome
  /** When it ends: milliseconds after it has begun to be processed, or at its n-th poll. */
  readonly end: { readonly after: number } | { readonly polls: number }
  /** Set where the outcome is `failed`. */
  readonly error: TaskError | undefined
  readonly price: Price
  /** What a success hands out instead of the kind's own output. */
  readonly output: JsonObject | undefined
  /** What an LLM's answer is to be like. */
  readonly reply: ReplySettings | undefined
  /** The paths of files that are handed out instead of made ones; any of them stands for any file. */
  readonly files: readonly string[] | undefined
  /** The rule that decided, where one did; `directive` where the request itself did. */
  readonly rule: string | undefined
  /** What happens to its webhooks, where the request itself says so. */
  readonly mischief: Mischief | undefined
}

/** What a successful task made. */
export interface Result {
  /** How many files can be downloaded. */
  readonly files: number
  /** The output, filled in, with {@link FILE_MARK} where the URL of a file goes; the kind's own output where undefined. */
  readonly output: JsonObject | undefined
}

/** Stands for the URL of a file in an output that a scenario or a kind gives; each mark is another file. */
export const FILE_MARK = '{{file}}'

/** A task as the simulator keeps it; times are epoch milliseconds. Values are never changed in place. */
export interface Task {
  readonly id: string
  /** The API key that made it; no other sees it. */
  readonly owner: string
  readonly model: string
  readonly kind: Kind
  readonly input: JsonObject
  readonly webhookUrl: string | undefined
  /** Scheme and host under which the client reached the API; output URLs in webhooks start with it. */
  readonly origin: string
  readonly plan: Plan
  /** What its files are to be, where its kind is one of media. */
  readonly media: MediaOrder | undefined
  readonly status: Status
  readonly createdAt: number
  /** When it left the queue; undefined while it waits. */
  readonly startedAt: number | undefined
  readonly completedAt: number | undefined
  readonly result: Result | undefined
  /** Why it failed, where it did. */
  readonly error: TaskError | undefined
  /** Whole micro-dollars; undefined until the task has ended. */
  readonly cost: number | undefined
}

/** True where a task will not change any more. */
export function isTerminal(status: Status): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled'
}
