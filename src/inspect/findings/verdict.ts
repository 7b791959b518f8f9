import type { Observable } from '../../engine/observation.js'
import { type CaseFile, openCase } from './case.js'
import type { Finding, FindingRule } from './finding.js'
import { SEVERITIES } from './finding.js'
import { FINDING_RULES } from './rules.js'

/** Whether a mistake was not made, made, could not be seen, or was not looked for. */
export type CheckState = 'ok' | 'found' | 'not_observed' | 'ignored'

/** One rule that was applied. */
export interface Checked {
  /** Names the rule, such as `polls-too-fast`. */
  readonly id: string
  /** What would be wrong, in a few words. */
  readonly title: string
  /** What came of it. */
  readonly state: CheckState
  /** What the test would have to tell by `sim.observe`, where this was not observed because it did not. */
  readonly needs?: Observable | undefined
}

/** What is to be said of the client under test. */
export interface Verdict {
  /** What it did wrong; the worst first. */
  readonly findings: readonly Finding[]
  /** Every rule. What there was no occasion for is `not_observed`: nobody knows how the client would have done. */
  readonly checked: readonly Checked[]
}

/** Most evidence that is kept of one finding. */
const MOST_EVIDENCE = 20

/** What the client under test did wrong, by what the journal tells. */
export function judgeClient(file: CaseFile): Verdict {
  const record = openCase(file)
  const findings: Finding[] = []
  const checked = FINDING_RULES.map(({ look, needs, ...rule }): Checked => {
    const { id, title } = rule
    if (file.settings.ignore.includes(id)) return { id, title, state: 'ignored' }
    const evidence = look(record)
    if (evidence === undefined) return { id, title, state: 'not_observed', needs }
    if (evidence.length === 0) return { id, title, state: 'ok' }
    findings.push({ ...rule, count: evidence.length, evidence: evidence.slice(0, MOST_EVIDENCE) })
    return { id, title, state: 'found' }
  })
  return { findings: findings.sort(bySeverity), checked }
}

function bySeverity(a: Pick<FindingRule, 'severity'>, b: Pick<FindingRule, 'severity'>): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
}
