import type { Observable } from '../../engine/observation.js'
import { type Finding, SEVERITIES } from './finding.js'
import { createFindingContext, type FindingInput } from './finding-context.js'
import { FINDING_RULES } from './rules.js'

/** The result of a rule: no mistake, a mistake, no occasion for the mistake, or ignored by the scenario. */
export type CheckState = 'ok' | 'found' | 'not_observed' | 'ignored'

/** The result of one rule. */
export interface Checked {
  /** The id of the rule, such as `polls-too-fast`. */
  readonly id: string
  /** The mistake in a few words. */
  readonly title: string
  /** The result. */
  readonly state: CheckState
  /** The observation that the test must report with `sim.observe`, if the rule depends on one. */
  readonly needs?: Observable | undefined
}

/** The results of all rules for the client under test. */
export interface Verdict {
  /** The mistakes of the client, worst first. */
  readonly findings: readonly Finding[]
  /** The result of every rule. Without an occasion for the mistake, the result is `not_observed`, never `ok`. */
  readonly checked: readonly Checked[]
}

/** The maximum number of occurrences in one finding. */
const MAX_EVIDENCE = 20

/** Applies every rule to the client under test. */
export function checkClient(input: FindingInput): Verdict {
  const context = createFindingContext(input)
  const findings: Finding[] = []
  const checked = FINDING_RULES.map(({ check, needs, ...rule }): Checked => {
    const { id, title } = rule
    if (input.settings.ignore.includes(id)) return { id, title, state: 'ignored' }
    const evidence = check(context)
    if (evidence === undefined) return { id, title, state: 'not_observed', needs }
    if (evidence.length === 0) return { id, title, state: 'ok' }
    findings.push({ ...rule, count: evidence.length, evidence: evidence.slice(0, MAX_EVIDENCE) })
    return { id, title, state: 'found' }
  })
  return { findings: findings.sort(bySeverity), checked }
}

function bySeverity(a: Finding, b: Finding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
}
