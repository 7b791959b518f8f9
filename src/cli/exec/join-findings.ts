import { type Finding, SEVERITIES } from '../../core/findings/finding.js'

/** Findings of several simulators, or of times between resets, with those of one rule made one; the worst first. */
export function joinFindings(findings: readonly Finding[]): Finding[] {
  const byRule = new Map<string, Finding>()
  for (const finding of findings) {
    const known = byRule.get(finding.id)
    const evidence = [...(known?.evidence ?? []), ...finding.evidence]
    byRule.set(finding.id, { ...finding, evidence })
  }
  return [...byRule.values()].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
}
