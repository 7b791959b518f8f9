import { toDollars } from '../engine/tasks/pricing.js'
import type { Finding } from '../inspect/findings/finding.js'
import type { Problem, ReportedRun } from './report.js'
import { BASELINE, type ObservedRun } from './run.js'
import { withNumbers } from './sentence.js'

/** The mistakes of a client that cost money or lose results, although nothing went wrong. */
function baselineErrors({ facts }: ObservedRun): Finding[] {
  return facts.findings.filter(({ severity }) => severity === 'error')
}

/** The baseline in the report. @returns undefined if the client makes no mistake that is an error */
export function reportedBaseline(baseline: ObservedRun): ReportedRun | undefined {
  const { facts, took } = baseline
  const errors = baselineErrors(baseline)
  if (errors.length === 0) return undefined
  return {
    id: BASELINE,
    place: BASELINE,
    operation: BASELINE,
    deviation: '',
    class: 'transient',
    result: 'finding',
    severity: 'error',
    ok: false,
    status: 0,
    what: errors.map((finding) => describe(finding, baseline)).join(' '),
    findings: errors.map(({ id }) => id),
    printed: [],
    tasks: facts.tasks.length,
    cost_usd: toDollars(facts.cost),
    ms: Math.round(took),
    timeline: facts.timeline,
  }
}

/** The errors of the baseline, each as a problem. @param repeat the command that runs only the baseline */
export function baselineProblems(baseline: ObservedRun, repeat: string): Problem[] {
  return baselineErrors(baseline).map((finding) => ({
    result: 'finding',
    severity: 'error',
    operation: BASELINE,
    findings: [finding.id],
    deviations: [],
    runs: [BASELINE],
    what: describe(finding, baseline),
    why: finding.why,
    remedy: finding.remedy,
    repeat,
    reproduction: { run: BASELINE, reason: 'Nothing has to go wrong for it.' },
  }))
}

function describe({ title, count, evidence: [first] }: Finding, { facts }: ObservedRun): string {
  const times = count > 1 ? ` (${count} times)` : ''
  const seen = first === undefined ? '' : ` ${first.seen}`
  return withNumbers(`Without any failure${times}: ${title}.${seen}`, facts)
}
