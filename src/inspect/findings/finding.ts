import type { Observable } from '../../engine/observation.js'
import type { Unseen } from '../../engine/tasks/mirrored-tasks.js'
import type { FindingContext } from './finding-context.js'
import type { FindingId } from './ids.js'

/** The severities, worst first: an error costs money or loses results, a warning is a risk, a note is advice. */
export const SEVERITIES = ['error', 'warning', 'note'] as const
/** How bad a finding is. */
export type Severity = (typeof SEVERITIES)[number]

/** One occurrence of a mistake. */
export interface Evidence {
  /** One sentence that describes this occurrence. */
  readonly seen: string
  /** The affected task, if any. */
  readonly taskId?: string | undefined
  /** The model of the task. */
  readonly model?: string | undefined
  /** The start of the prompt of the task in one line, without what looks like a secret. */
  readonly prompt?: string | undefined
  /** The ids of the requests that show the mistake; at most ten. */
  readonly requestIds?: readonly string[]
  /** The ids of the deliveries that show the mistake; at most ten. */
  readonly deliveryIds?: readonly string[]
  /** Epoch milliseconds. */
  readonly at: number
}

/** A mistake of the client under test. */
export interface Finding {
  /** The id of the rule, such as `polls-too-fast`. */
  readonly id: FindingId
  /** How bad it is. */
  readonly severity: Severity
  /** The mistake in a few words. */
  readonly title: string
  /** Why it matters in production. */
  readonly why: string
  /** How to fix it. */
  readonly remedy: string
  /** The number of occurrences. */
  readonly count: number
  /** When it was observed last, in epoch milliseconds. */
  readonly lastAt: number
  /** The first twenty occurrences. */
  readonly evidence: readonly Evidence[]
}

/** Why a rule cannot tell whether the client made the mistake, in sentences. */
export interface Unclear {
  readonly reason: string
}

/** The client may have waited for a webhook when the run ended. */
export const WEBHOOK_DUE: Unclear = {
  reason:
    'The run ended before the webhook of a task was due. Let it last until all webhooks have been sent: on a manual clock, call `await sim.clock.runUntilIdle()` before the verdict.',
}

/** The occurrences of a mistake, or why there is no result; undefined if the client had no occasion to make it. */
export type RuleResult = Evidence[] | Unclear | undefined

/** What gives a client an occasion for a mistake, so that a short report can group the rules. */
export type Occasion = 'scenario' | 'fault' | 'webhook' | 'probe' | 'observation' | 'requests'

/** Detects one mistake. A rule is a pure function of its context. */
export interface FindingRule extends Omit<Finding, 'count' | 'lastAt' | 'evidence'> {
  /** The kind of {@link provoke}. */
  readonly occasion: Occasion
  /** What gives the client an occasion for the mistake, such as a shipped scenario, a fault or an observation. */
  readonly provoke: string
  /** The observation that the test must report, if the simulator cannot see the mistake itself. */
  readonly needs?: Observable
  /** The actions of the client without which the mistake cannot be seen, if a proxy may miss them. */
  readonly sees?: Unseen
  check(context: FindingContext): RuleResult
}
