import type { JsonObject } from '../../engine/json.js'
import type { Interval } from '../../inspect/statistics.js'
import type { DailyPattern } from './daily-patterns.js'
import type { LearnedDelay } from './delay/learn-delay.js'
import type { CountedError } from './failures/error-counts.js'
import type { LearnedLimit } from './limits/learn-limits.js'
import type { LearnedPrice } from './price/learn-price.js'
import type { TaskCounts } from './tally.js'
import type { LearnedTraffic } from './traffic/traffic.js'

/** How often tasks fail, and their errors. Canceled tasks count neither as failed nor as successful. */
export interface LearnedFailures {
  /** How many tasks succeeded or failed. */
  readonly samples: number
  readonly failed: number
  readonly rate: number
  /** The 95 % interval of the rate. */
  readonly interval: Interval
  /** The most frequent errors, most frequent first. */
  readonly errors: readonly CountedError[]
  /** How many failures had other errors. */
  readonly unlisted: number
}

/** What the history of a model, or of all models of a kind, shows. Undefined: see `gaps`. */
export interface LearnedBehavior {
  /** The id of the model, or the name of the kind. */
  readonly name: string
  readonly kind: string
  readonly counts: TaskCounts
  /** How long tasks are queued, if the history shows it and no limit explains it. */
  readonly queueing: LearnedDelay | undefined
  /** How long processing takes. */
  readonly delay: LearnedDelay | undefined
  readonly failures: LearnedFailures | undefined
  /** The cost of a successful task. */
  readonly price: LearnedPrice | undefined
  /** The template of outputs that differ from those of the kind. */
  readonly output: JsonObject | undefined
  /** What depends on the hour of the day. */
  readonly patterns: readonly DailyPattern[]
  /** What was not learned and why, one sentence each. */
  readonly gaps: readonly string[]
}

/** What a history shows about a service. */
export interface Learned {
  readonly tasks: number
  /** When the first and the last task were created: epoch milliseconds. */
  readonly from: number
  readonly to: number
  readonly limits: readonly LearnedLimit[]
  /** What requests and webhooks show; undefined if the source has none. */
  readonly traffic: LearnedTraffic | undefined
  /** By id. */
  readonly models: readonly LearnedBehavior[]
  /** The kinds with a model that has too few tasks, by name. Each pools all models of the kind. */
  readonly kinds: readonly LearnedBehavior[]
}
