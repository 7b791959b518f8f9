import type { Kind } from '../../engine/tasks/task.js'

/** The limits above which behaviour counts as a mistake. Times are milliseconds. */
export interface Thresholds {
  /** The shortest allowed interval between polls, by kind of task. */
  readonly poll_interval: Readonly<Record<Kind, number>>
  /** The share by which polls and retries may come too early. */
  readonly tolerance: number
  /** The number of polls of one task that must be too fast. */
  readonly fast_polls: number
  /** The number of consecutive polls that a finished task may get. */
  readonly polls_after_end: number
  /** The time after its creation during which a task may be polled. */
  readonly longest_wait: number
  /** The number of consecutive failed polls after which a client may stop. */
  readonly failed_polls: number
  /** The time within which an identical request counts as a retry. */
  readonly retry_within: number
  /** The time after which an omission of the client counts as a mistake. */
  readonly silence: number
  /** The number of times that a client may download the same file. */
  readonly downloads: number
  /** The real time in which a receiver must acknowledge a webhook. */
  readonly webhook_answer: number
}

/** The `findings` section of a scenario. */
export interface FindingSettings {
  /** The ids of rules to skip. */
  readonly ignore: readonly string[]
  readonly thresholds: Thresholds
}

/** The service recommends the poll intervals. The other defaults tolerate cautious clients. */
export const DEFAULT_THRESHOLDS: Thresholds = {
  poll_interval: { image: 1_000, video: 3_000, audio: 1_000, tool: 1_000, llm: 1_000 },
  tolerance: 0.1,
  fast_polls: 3,
  polls_after_end: 2,
  longest_wait: 3_600_000,
  failed_polls: 3,
  retry_within: 60_000,
  silence: 60_000,
  downloads: 5,
  webhook_answer: 5_000,
}

/** Thresholds with every field optional. */
export type SomeThresholds = {
  readonly [Name in keyof Thresholds]?: Name extends 'poll_interval'
    ? Partial<Readonly<Record<Kind, number | undefined>>> | undefined
    : Thresholds[Name] | undefined
}

/** Completes thresholds with the defaults. */
export function thresholdsFrom({ poll_interval: byKind = {}, ...others }: SomeThresholds = {}): Thresholds {
  const poll_interval = { ...DEFAULT_THRESHOLDS.poll_interval, ...withoutUndefined(byKind) }
  return { ...DEFAULT_THRESHOLDS, ...withoutUndefined(others), poll_interval }
}

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }
}
