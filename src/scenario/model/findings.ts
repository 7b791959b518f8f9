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
