import type { Kind } from '../tasks/task.js'

/** The limits above which behavior counts as a mistake. Times are milliseconds. */
export interface Thresholds {
  /** The shortest allowed interval between polls, by kind of task. */
  readonly poll_interval: Readonly<Record<Kind, number>>
  /** How early polls and retries may come, as a share of the interval, 0 to 1. */
  readonly tolerance: number
  /** How many polls of one task must be too fast before they count as a mistake. */
  readonly fast_polls: number
  /** The allowed number of consecutive polls of a finished task. */
  readonly polls_after_end: number
  /** How long after its creation a client may poll a task. */
  readonly longest_wait: number
  /** The number of consecutive failed polls after which a client may give up. */
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
