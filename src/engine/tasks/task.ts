import type { ReplySettings } from '../../scenario/model/reply.js'
import type { MediaSpec } from '../assets/media-spec.js'
import type { JsonObject } from '../json.js'
import type { WebhookFault } from '../webhooks/webhook-fault.js'
import type { Price } from './pricing.js'

/** What a model makes. */
export const KINDS = ['image', 'video', 'audio', 'tool', 'llm'] as const
/** What a model makes. */
export type Kind = (typeof KINDS)[number]

/** The states of a task, in the service's spelling. */
export const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const
/** The state of a task. */
export type Status = (typeof STATUSES)[number]

/** True for a word that is a state of a task. */
export function isStatus(value: unknown): value is Status {
  return STATUSES.some((status) => status === value)
}

/** How a task will end; `stuck` never does. */
export const OUTCOMES = ['succeeded', 'failed', 'canceled', 'stuck'] as const
/** How a task will end. */
export type Outcome = (typeof OUTCOMES)[number]

/** Why a task failed, as the client gets to see it. */
export interface TaskError {
  /** A word for programs, such as `content_policy`. */
  readonly code: string
  /** A sentence for people. */
  readonly message: string
}

/** What will happen to a task: drawn once, when it is created, and not touched by a later change of scenario. */
export interface Plan {
  /** How it ends. */
  readonly outcome: Outcome
  /** When it ends. */
  readonly end:
    | {
        /** Milliseconds after it has begun to be processed. */
        readonly after: number
      }
    | {
        /** At which poll, counted from 1. */
        readonly polls: number
      }
  /** Set where the outcome is `failed`. */
  readonly error: TaskError | undefined
  /** What it costs, where it succeeds. */
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
  readonly webhookFault: WebhookFault | undefined
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
  /** `task_` and 24 letters and digits. */
  readonly id: string
  /** A number that is the same in tasks with the same model and input. */
  readonly identity: number
  /** The API key that made it; no other sees it. */
  readonly owner: string
  /** What it runs, as the client named it. */
  readonly model: string
  /** What the model makes. */
  readonly kind: Kind
  /** The model's parameters, as the client sent them. */
  readonly input: JsonObject
  /** The bytes of memory that the input takes, as an estimate. */
  readonly inputBytes: number
  /** Where the client wants the webhook. */
  readonly webhookUrl: string | undefined
  /** Scheme and host under which the client reached the API; output URLs in webhooks start with it. */
  readonly origin: string
  /** What will become of it. */
  readonly plan: Plan
  /** What its files are to be, where its kind is one of media. */
  readonly media: MediaSpec | undefined
  /** The state that it is in. */
  readonly status: Status
  /** When it was created. */
  readonly createdAt: number
  /** When it left the queue; undefined while it waits. */
  readonly startedAt: number | undefined
  /** When it ended; undefined until then. */
  readonly completedAt: number | undefined
  /** What it has made, where it has succeeded. */
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
