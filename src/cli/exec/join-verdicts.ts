import type { Finding } from '../../inspect/findings/finding.js'
import { bySeverity, type Checked, type CheckState, type Verdict } from '../../inspect/findings/verdict.js'

/** Merges the verdicts from before and after each reset. Each rule keeps its worst result. */
export function joinVerdicts(verdicts: readonly Verdict[]): Pick<Verdict, 'findings' | 'checked'> {
  return {
    findings: joinFindings(verdicts.flatMap(({ findings }) => findings)),
    checked: joinChecks(verdicts.flatMap(({ checked }) => checked)),
  }
}

function joinFindings(findings: readonly Finding[]): Finding[] {
  const byRule = new Map<string, Finding>()
  for (const finding of findings) {
    const known = byRule.get(finding.id)
    const evidence = [...(known?.evidence ?? []), ...finding.evidence]
    byRule.set(finding.id, { ...finding, count: (known?.count ?? 0) + finding.count, evidence })
  }
  return [...byRule.values()].sort(bySeverity)
}

const WORST_FIRST: readonly CheckState[] = ['found', 'ok', 'not_observed', 'ignored', 'not_applicable']

function joinChecks(checks: readonly Checked[]): Checked[] {
  const byRule = new Map<string, Checked>()
  for (const check of checks) {
    const known = byRule.get(check.id)
    const isWorse = known === undefined || WORST_FIRST.indexOf(check.state) < WORST_FIRST.indexOf(known.state)
    if (isWorse) byRule.set(check.id, check)
  }
  return [...byRule.values()]
}
