import { describeRule, missingRules, neverApplied } from '../../inspect/applied/never-applied.js'
import { evidenceLine } from '../../inspect/findings/evidence-line.js'
import type { Evidence, Finding, Occasion } from '../../inspect/findings/finding.js'
import { FINDING_RULES } from '../../inspect/findings/rules.js'
import { type Checked, NO_OCCASION, type Verdict } from '../../inspect/findings/verdict.js'
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

function lineWithoutFinding({ id, title, state, reason = '', provoke }: Checked): ReportLine[] {
  if (state !== 'ok' && state !== 'not_observed') return []
  // What provokes a mistake implies that there was no occasion for it.
  const why = reason === NO_OCCASION ? '' : reason
  const occasion = why === '' ? occasionOf(id) : undefined
  return [{ id, mark: state, title, seen: [], why, remedy: '', provoke, occasion, isBrief: true }]
}

const OCCASIONS: Readonly<Record<Occasion, string>> = {
  scenario: 'Run a scenario such as lost-create-response, stuck, rate-limited or out-of-credits.',
  fault: 'Apply a fault to polls, such as 503.',
  webhook: 'Give tasks a webhook URL, or pass --webhook URL.',
  probe: 'Run tasksim probe, or the scenario webhook-forgery.',
  observation: 'Let the test report observations.',
  requests: 'Let the client do more, or use another dialect.',
}

/** Undefined for a rule of another version of the server. */
function occasionOf(id: string): string | undefined {
  const rule = FINDING_RULES.find((known) => known.id === id)
  return rule && OCCASIONS[rule.occasion]
}

/** The number of rules that the line of those that never applied lists. */
const MAX_RULES = 10

/**
 * The line of the rules and faults of the scenario that never applied, if any.
 * @param isStrict whether it fails the run if the run tested nothing without them
 */
export function neverAppliedLine(applied: Verdict['applied'], isStrict = false): ReportLine | undefined {
  const { own, bases } = neverApplied(applied)
  const unused = [...own.map(describeRule), ...bases.map((base) => `${base}: none of its rules and faults`)]
  if (unused.length === 0) return undefined
  const fails = isStrict && missingRules(applied).length > 0
  const shown = unused.slice(0, MAX_RULES)
  return {
    id: 'never-applied',
    mark: fails ? 'error' : 'note',
    fails,
    title: 'Some rules and faults of the scenario never applied',
    seen: unused.length > shown.length ? [...shown, `... and ${unused.length - shown.length} more.`] : shown,
    why: 'The run did not test how the client handles them.',
    remedy: 'Check their conditions, and whether the client sends such requests.',
    details: { rules: applied },
  }
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
  const lines = evidence.slice(0, MAX_SHOWN).map(evidenceLine)
  return count > lines.length ? [...lines, `... and ${count - lines.length} more.`] : lines
}
