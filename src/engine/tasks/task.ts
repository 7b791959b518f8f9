import type { MediaSpec } from '../assets/media-spec.js'
import type { JsonObject } from '../json.js'
import type { ReplySettings } from '../scenario/reply.js'
import type { TraceContext } from '../tracing.js'
import type { WebhookFault } from '../webhooks/faults/webhook-fault.js'
import type { Price } from './pricing.js'
import type { RecordedAnswers } from './recorded-answers.js'

/** The name of a kind of models, such as `image`. The kind decides the output of a task. */
export type Kind = string

/** The states of a task, in the service's spelling. */
export const STATUSES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const

/** The state of a task. */
export type Status = (typeof STATUSES)[number]

/** Returns counts of tasks by their state, all 0. */
export function newStatusCounts(): Record<Status, number> {
  return { queued: 0, processing: 0, succeeded: 0, failed: 0, canceled: 0 }
}

/** How a task ends. A `stuck` task never ends. */
export const OUTCOMES = ['succeeded', 'failed', 'canceled', 'stuck'] as const

/** How a task ends. */
export type Outcome = (typeof OUTCOMES)[number]

/** Why a task failed, as the API shows it. */
export interface TaskError {
  /** A code for programs, such as `content_policy`. */
  readonly code: string
  /** A sentence for people. */
  readonly message: string
}

/** The error of a failed task if the scenario does not define one. */
export const DEFAULT_TASK_ERROR: TaskError = {
  code: 'generation_failed',
  message: 'The generation could not be completed.',
}

/**
 * The plan of a task: when and how it ends, and what it costs. It is drawn once, at creation; a later change of
 * scenario does not affect it.
 */
export interface Plan {
  /** How it ends. */
  readonly outcome: Outcome
  /** How long it stays queued once the capacity allows it to run, in milliseconds. */
  readonly queueing: number
  /** When it ends. */
  readonly end:
    | {
        /** Milliseconds after the start of processing. */
        readonly after: number
      }
    | {
        /** The number of the poll, from 1. */
        readonly polls: number
      }
  /** Set if the outcome is `failed`. */
  readonly error: TaskError | undefined
  /** The price of a success. */
  readonly price: Price
  /** The output of a success; the kind's default output if undefined. */
  readonly output: JsonObject | undefined
  /** The settings of an LLM's reply. */
  readonly reply: ReplySettings | undefined
  /** The paths of files that replace rendered ones. Any of them may replace any file of the task. */
  readonly files: readonly string[] | undefined
  /** The rule that applied, if one did; `directive` if the request overrides the scenario. */
  readonly rule: string | undefined
  /** The webhook fault from the request's directive. */
  readonly webhookFault: WebhookFault | undefined
  /** What a real service showed of the task that this one repeats. */
  readonly recorded: RecordedAnswers | undefined
}

/** The plan of a task that succeeds at once and costs nothing, for tasks that no scenario plans. */
export const SIMPLE_PLAN: Plan = {
  outcome: 'succeeded',
  queueing: 0,
  end: { after: 0 },
  error: undefined,
  price: {},
  output: undefined,
  reply: undefined,
  files: undefined,
  rule: undefined,
  webhookFault: undefined,
  recorded: undefined,
}

/** What to report with `task.progressed` while a task runs. */
export interface Follow {
  /** Reports new log lines, at most once in this number of milliseconds. */
  readonly logs?: number | undefined
  /** Reports new parts of the output, at most once in this number of milliseconds. */
  readonly outputs?: number | undefined
}

/** The result of a successful task. */
export interface Result {
  /** The number of files that can be downloaded. */
  readonly files: number
  /** The output, with {@link FILE_MARK} for each URL of a file; the kind's default output if undefined. */
  readonly output: JsonObject | undefined
}

/** The placeholder for the URL of a file in an output. Each placeholder is another file. */
export const FILE_MARK = '{{file}}'

/** A task as the simulator stores it. Times are epoch milliseconds. Tasks are immutable. */
export interface Task {
  /** Unique; its form depends on the wire format. */
  readonly id: string
  /** The name of the wire format in which it was created. */
  readonly dialect: string
  /** A number that tasks with the same model and input share. */
  readonly identity: number
  /** The API key that created it. Other keys cannot see it. */
  readonly owner: string
  /** The id of the model, as the client sent it. */
  readonly model: string
  /** The kind of the model. */
  readonly kind: Kind
  /** The built-in kind whose output it has. It differs from `kind` if the scenario defines the kind. */
  readonly baseKind: Kind
  /** The model's parameters, as the client sent them. */
  readonly input: JsonObject
  /** How many bytes its input and the other values of its order count in the memory budget. */
  readonly inputBytes: number
  /** The task's own webhook receiver. */
  readonly webhookUrl: string | undefined
  /** The scheme and host with which the client reached the API. Output URLs in webhooks start with it. */
  readonly origin: string
  /** Values that its wire format needs later. */
  readonly extra: JsonObject | undefined
  /** How it is planned to go. */
  readonly plan: Plan
  /** The media that the input requests; undefined if the kind is not media. */
  readonly media: MediaSpec | undefined
  /** What to report while it runs. */
  readonly follow: Follow | undefined
  /** Where its create request is in a trace; undefined if it is not traced. */
  readonly trace?: TraceContext | undefined
  /** Its state. */
  readonly status: Status
  /** When it was created. */
  readonly createdAt: number
  /** When it left the queue; undefined before. */
  readonly startedAt: number | undefined
  /** When it ended; undefined before. */
  readonly completedAt: number | undefined
  /** The number of its polls, if they determine its end; undefined before its end. */
  readonly polls: number | undefined
  /** Its result, if it succeeded. */
  readonly result: Result | undefined
  /** Its error, if it failed. */
  readonly error: TaskError | undefined
  /** Its cost in whole micro-dollars; undefined before its end. */
  readonly cost: number | undefined
  /** When a client has deleted its data; undefined if they are kept until the end of the retention. */
  readonly erasedAt?: number | undefined
}

/** Whether a state is final. */
export function isTerminal(status: Status): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled'
}

/** When a processing task ends, in epoch milliseconds; undefined if it never ends, or ends at a poll. */
export function plannedEndOf({
  plan,
  createdAt,
  startedAt = createdAt,
}: Pick<Task, 'plan' | 'createdAt' | 'startedAt'>): number | undefined {
  return plan.outcome === 'stuck' || 'polls' in plan.end ? undefined : startedAt + plan.end.after
}

/** How long a task has waited and run so far, or did until its end, in milliseconds. */
interface TaskDurations {
  /** From its creation to its start. */
  readonly queued: number
  /** From its start to its end; 0 before its start. */
  readonly running: number
}

/**
 * Measures how long a task has waited and run.
 * @param now epoch milliseconds; has no effect after the end of the task
 */
export function durationsOf(
  { createdAt, startedAt, completedAt = Infinity }: Task,
  now: number,
): TaskDurations {
  const until = Math.min(completedAt, now)
  return {
    queued: (startedAt ?? until) - createdAt,
    running: until - (startedAt ?? until),
  }
}
