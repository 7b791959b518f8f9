import type { MediaSpec } from '../assets/media-spec.js'
import type { Directive } from '../directive/directive.js'
import type { JsonObject } from '../json.js'
import type { InputSurvey } from './survey-input.js'
import type { Kind, Plan, Task } from './task.js'

/** What a client asks for when it creates a task. */
export interface NewTask {
  /** The API key that asks. */
  readonly owner: string
  /** What it is to run. */
  readonly model: string
  /** The model's parameters. */
  readonly input: JsonObject
  /** Where the client wants the webhook. */
  readonly webhookUrl: string | undefined
  /** Scheme and host under which the client reached the API. */
  readonly origin: string
  /** What the request asks for itself, in place of what the scenario says. */
  readonly directive?: Directive | undefined
  /** What a walk over the input found, where one has been made; the engine makes it otherwise. */
  readonly survey?: InputSurvey | undefined
}

/** What is decided of a new task beside what its client asked for. */
export interface Decided {
  readonly id: string
  readonly identity: number
  readonly inputBytes: number
  readonly kind: Kind
  /** What its files are to be. */
  readonly media: MediaSpec | undefined
  readonly plan: Plan
  /** Whether it starts at once; otherwise it waits for its turn. */
  readonly runs: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/** A task at its beginning. All its fields are there from now on, so that a task always has the same shape. */
export function newTask(
  order: NewTask,
  { id, identity, kind, media, plan, runs, now, inputBytes }: Decided,
): Task {
  return {
    id,
    identity,
    owner: order.owner,
    model: order.model,
    kind,
    input: order.input,
    inputBytes,
    webhookUrl: order.webhookUrl,
    origin: order.origin,
    plan,
    media,
    status: runs ? 'processing' : 'queued',
    createdAt: now,
    startedAt: runs ? now : undefined,
    completedAt: undefined,
    result: undefined,
    error: undefined,
    cost: undefined,
  }
}
