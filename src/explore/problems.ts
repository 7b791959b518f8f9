import type { Severity } from '../inspect/findings/finding.js'
import type { WayToFind } from '../inspect/findings/finding-context.js'
import { remedyOf, whyOf } from './remedies.js'
import { type Problem, type ReportedRun, RUN_RESULTS } from './report.js'
import type { Reproduction } from './reproduction.js'
import { UNSETTLED } from './run.js'

/** How to repeat the runs of a problem. */
export interface Repetition {
  /** The command that repeats a run alone. */
  repeat(id: string): string
  /** How the client could find a task whose create answer was lost. */
  readonly waysToFind: readonly WayToFind[]
  /** The failure of one of several runs in a scenario. */
  reproduce(ids: readonly string[]): Reproduction
}

/**
 * Groups the runs with a wrong result by their cause: the result, the operation and the finding. The worst come first.
 */
export function problemsOf(runs: readonly ReportedRun[], repetition: Repetition): Problem[] {
  const groups = new Map<string, [WrongRun, ...WrongRun[]]>()
  for (const run of runs.filter(isWrong)) {
    const finding = run.result === 'finding' ? run.findings.join(' ') : ''
    const cause = [run.result, run.severity, run.operation, finding, isUnsettled(run)].join('\0')
    const group = groups.get(cause)
    if (group === undefined) groups.set(cause, [run])
    else group.push(run)
  }
  return [...groups.values()].map((group) => problemOf(group, repetition)).sort(byRank)
}

type WrongRun = ReportedRun & { readonly severity: Severity }

function isWrong(run: ReportedRun): run is WrongRun {
  return !run.ok && run.severity !== 'ok' && run.because === undefined
}

function problemOf(
  given: readonly [WrongRun, ...WrongRun[]],
  { repeat, reproduce, waysToFind }: Repetition,
): Problem {
  const group = [...given].sort((a, b) => failuresOf(a) - failuresOf(b))
  const [first = given[0]] = group
  const { result, severity, operation, findings } = first
  const deviations = [...new Set(group.map(({ deviation }) => deviation))]
  const cause = {
    result,
    severity,
    operation,
    deviations,
    findings,
    waysToFind,
    isUnsettled: isUnsettled(first),
  }
  const ids = group.map(({ id }) => id)
  return {
    result,
    severity,
    operation,
    findings: result === 'finding' ? findings : [],
    deviations,
    runs: ids,
    what: first.what,
    why: whyOf(cause),
    remedy: remedyOf(cause),
    repeat: repeat(first.id),
    reproduction: reproduce(ids),
  }
}

/** Whether Node.js has ended the client because it waited for a promise that nobody settles. */
function isUnsettled({ result, status }: WrongRun): boolean {
  return result === 'crashed' && status === UNSETTLED
}

/** The number of deviations of a run. */
function failuresOf({ id }: WrongRun): number {
  return id.split('+').length
}

function byRank(a: Problem, b: Problem): number {
  const rank = ({ severity, result }: Problem) =>
    (severity === 'error' ? 0 : 100) + RUN_RESULTS.indexOf(result)
  return rank(a) - rank(b) || b.runs.length - a.runs.length
}
