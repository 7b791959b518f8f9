import type { Evidence, Finding } from '../../inspect/findings/finding.js'
import type { Checked, Verdict } from '../../inspect/findings/verdict.js'
import { type FailOn, type ReportLine, withFailures } from './report.js'

/** The number of observations in the line of a finding. */
const MAX_SHOWN = 5

/** The lines of the findings, with those that fail the run. */
export function findingLines(findings: readonly Finding[], failOn: FailOn): ReportLine[] {
  return withFailures(findings.map(findingLine), failOn)
}

/** The lines of the rules without a finding: the client made no such mistake, or had no occasion to make it. */
export function linesWithoutFinding({ checked }: Pick<Verdict, 'checked'>): ReportLine[] {
  return checked.flatMap(lineWithoutFinding)
}

function lineWithoutFinding({ id, title, state, needs }: Checked): ReportLine[] {
  if (state !== 'ok' && state !== 'not_observed') return []
  const remedy = needs === undefined ? '' : `To check it, call sim.observe('${needs}', ...).`
  return [{ id, mark: state, title, seen: [], why: '', remedy, isBrief: true }]
}

function findingLine({ id, severity, title, why, remedy, count, evidence }: Finding): ReportLine {
  return {
    id,
    mark: severity,
    title,
    why,
    remedy,
    seen: firstObservations(evidence, count),
    details: { count, evidence },
  }
}

function firstObservations(evidence: readonly Evidence[], count: number): string[] {
  const lines = evidence.slice(0, MAX_SHOWN).map(({ seen }) => seen)
  return count > lines.length ? [...lines, `... and ${count - lines.length} more.`] : lines
}
