import type { Observable } from '../../engine/observation.js'
import type { Case } from './case.js'
import type { FindingId } from './ids.js'

/** How bad it is: an error costs money or loses results, a warning will hurt one day, a note is worth knowing. */
export const SEVERITIES = ['error', 'warning', 'note'] as const
/** How bad a finding is. */
export type Severity = (typeof SEVERITIES)[number]

/** Where a finding was seen. */
export interface Evidence {
  /** One sentence on what was seen this time. */
  readonly seen: string
  /** The task that it is about, where it is about one. */
  readonly taskId?: string | undefined
  /** The requests and deliveries in which it was seen; the first ten where there are more. */
  readonly requestIds?: readonly string[]
  /** The deliveries in which it was seen; the first ten where there are more. */
  readonly deliveryIds?: readonly string[]
  /** Epoch milliseconds. */
  readonly at: number
}

/** One thing that the client under test did wrong. */
export interface Finding {
  /** Names the rule, such as `polls-too-fast`. */
  readonly id: string
  /** How bad it is. */
  readonly severity: Severity
  /** What is wrong, in a few words. */
  readonly title: string
  /** Why it matters in production. */
  readonly why: string
  /** How to mend it. */
  readonly remedy: string
  /** How often it was seen. */
  readonly count: number
  /** Where it was seen, the first twenty times. */
  readonly evidence: readonly Evidence[]
}

/** One mistake that a client can make, and how to see that it was made. Pure over the case. */
export interface FindingRule extends Omit<Finding, 'count' | 'evidence'> {
  readonly id: FindingId
  /** What the test must tell, because it cannot be seen from outside. */
  readonly needs?: Observable
  /** Where the mistake was made; undefined where there was no occasion to make it, so that nothing is proven. */
  look(record: Case): Evidence[] | undefined
}
