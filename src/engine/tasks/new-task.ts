import type { MediaSpec } from '../assets/media-spec.js'
import type { Directive } from '../directive/directive.js'
import type { JsonObject } from '../json.js'
import type { TraceContext } from '../tracing.js'
import type { InputSummary } from './input.js'
import type { Follow, Kind, Plan, Task } from './task.js'

/** The order of a task. */
export interface NewTask {
  /** The API key of the client. */
  readonly owner: string
  /** The name of the wire format of the request; the main one by default. */
  readonly dialect?: string | undefined
  /** The id of the model. */
  readonly model: string
  /** The kind of the model, if the request decides it. */
  readonly kind?: Kind | undefined
  /** The model's parameters. */
  readonly input: JsonObject
  /** The task's own webhook receiver. */
  readonly webhookUrl: string | undefined
  /** The scheme and host with which the client reached the API. */
  readonly origin: string
  /** The directive of the request, which overrides the scenario. */
  readonly directive?: Directive | undefined
  /** What to report while the task runs; nothing by default. */
  readonly follow?: Follow | undefined
  /** Values that the wire format needs later. */
  readonly extra?: JsonObject | undefined
  /** The summary of the input; by default, the engine summarizes it. */
  readonly summary?: InputSummary | undefined
  /** Where the create request is in a trace; undefined if tasks are not traced. */
  readonly trace?: TraceContext | undefined
}

/** The fields of a new task that its order does not contain. */
export interface NewTaskDetails {
  readonly id: string
  readonly dialect: string
  readonly identity: number
  readonly inputBytes: number
  readonly kind: Kind
  readonly baseKind: Kind
  /** The media that the order requests. */
  readonly media: MediaSpec | undefined
  readonly plan: Plan
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Builds a new task. It sets all fields, so that all tasks have the same shape for V8. The fields that a poll reads come
 * first, next to each other in memory.
 * @param runs whether it starts now; otherwise it is queued
 */
export function newTask(
  order: NewTask,
  { id, dialect, identity, kind, baseKind, media, plan, now, inputBytes }: NewTaskDetails,
  runs: boolean,
): Task {
  return {
    id,
    owner: order.owner,
    dialect,
    status: runs ? 'processing' : 'queued',
    result: undefined,
    plan,
    model: order.model,
    kind,
    baseKind,
    input: order.input,
    inputBytes,
    identity,
    webhookUrl: order.webhookUrl,
    origin: order.origin,
    extra: order.extra,
    media,
    follow: order.follow,
    trace: order.trace,
    createdAt: now,
    startedAt: runs ? now : undefined,
    completedAt: undefined,
    polls: undefined,
    error: undefined,
    cost: undefined,
  }
}
