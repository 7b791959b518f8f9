import type { Observable } from '../../engine/observation.js'
import { type AppliedRule, appliedRules } from '../applied/applied-rules.js'
import { withTask } from './evidence.js'
import { type Evidence, type Finding, type Occasion, SEVERITIES, WEBHOOK_DUE } from './finding.js'
import { createFindingContext, type FindingContext, type FindingInput } from './finding-context.js'
import type { FindingId } from './ids.js'
import { FINDING_RULES } from './rules.js'

/**
 * The result of a rule: no mistake, a mistake, no occasion for the mistake, ignored by the scenario, or about actions
 * that a proxy does not see.
 */
export type CheckState = 'ok' | 'found' | 'not_observed' | 'ignored' | 'not_applicable'

/** The result of one rule. */
export interface Checked {
  /** The id of the rule, such as `polls-too-fast`. */
  readonly id: FindingId
  /** The mistake in a few words. */
  readonly title: string
  /** The result. */
  readonly state: CheckState
  /** The observation that the test must report with `sim.observe`, if the rule depends on one. */
  readonly needs?: Observable | undefined
  /** Why the rule is not applicable, or why it has no result, in sentences. */
  readonly reason?: string | undefined
  /** What would give the client an occasion for the mistake, if it had none. */
  readonly provoke?: string | undefined
}

/** The results of all rules for the client under test. */
export interface Verdict {
  /** The mistakes of the client, worst first. */
  readonly findings: readonly Finding[]
  /** The result of every rule. Without an occasion for the mistake, the result is `not_observed`, never `ok`. */
  readonly checked: readonly Checked[]
  /** The rules and faults of the scenario, and how often each has applied. One that never applied has tested nothing. */
  readonly applied: readonly AppliedRule[]
}

/** Why a rule has no result if nothing happened that it is about. */
export const NO_OCCASION = 'The client had no occasion to make this mistake.'
/** The maximum number of occurrences in one finding. */
const MAX_EVIDENCE = 20

/** Which occurrences of mistakes count, and which of them are shown. */
export interface VerdictOptions {
  /** The id of a task, to count only mistakes with this task. */
  readonly task?: string | undefined
  /** Only mistakes observed at this time or later, in epoch milliseconds. */
  readonly since?: number | undefined
  /** Whether the newest occurrences come first, and not those that were found first. */
  readonly isNewestFirst?: boolean | undefined
  /** The rule of which all occurrences are shown. */
  readonly whole?: string | undefined
}

/** Applies every rule to the client under test. */
export function checkClient(input: FindingInput, options: VerdictOptions = {}): Verdict {
  const context = createFindingContext(input)
  const findings: Finding[] = []
  const checked = FINDING_RULES.map(({ check, needs, sees, occasion, provoke, ...rule }): Checked => {
    const { id, title } = rule
    if (input.settings.ignore.includes(id)) return { id, title, state: 'ignored' }
    const reason = sees && input.mirrored?.unseen[sees]
    if (reason !== undefined) return { id, title, state: 'not_applicable', reason }
    const all = check(context) ?? (isAboutWebhooks(occasion) && endsEarly(context) ? WEBHOOK_DUE : undefined)
    if (all === undefined) return { id, title, state: 'not_observed', needs, reason: NO_OCCASION, provoke }
    if ('reason' in all) return { id, title, state: 'not_observed', needs, reason: all.reason }
    const evidence = wanted(all, options)
    if (evidence.length === 0) return { id, title, state: 'ok' }
    findings.push({
      ...rule,
      count: evidence.length,
      lastAt: evidence.reduce((last, { at }) => Math.max(last, at), 0),
      evidence: evidence
        .slice(0, options.whole === id ? Infinity : MAX_EVIDENCE)
        .map((each) => withTask(each, context)),
    })
    return { id, title, state: 'found' }
  })
  const applied = appliedRules(input.applications.scenario, input.applications.counters)
  return { findings: findings.sort(bySeverity), checked, applied }
}

function wanted(all: readonly Evidence[], options: VerdictOptions): readonly Evidence[] {
  const { task, since = -Infinity, isNewestFirst = false } = options
  const found = all.filter(({ taskId, at }) => (task === undefined || taskId === task) && at >= since)
  return isNewestFirst ? found.sort((a, b) => b.at - a.at) : found
}

function isAboutWebhooks(occasion: Occasion): boolean {
  return occasion === 'webhook' || occasion === 'probe'
}

/** Whether the client has sent its last request, and a webhook is still due. */
function endsEarly({ isOver, histories, awaitsWebhook }: FindingContext): boolean {
  return isOver && histories.some(awaitsWebhook)
}

/** Orders findings: the most severe first. */
export function bySeverity(a: Finding, b: Finding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
}
