import { toDollars } from '../engine/tasks/pricing.js'
import type { WayToFind } from '../inspect/findings/finding-context.js'
import type { Baseline } from './baseline.js'
import { baselineProblems, reportedBaseline } from './baseline-problems.js'
import { type AcceptedProblem, asAccepted, isAbout } from './excused-runs.js'
import type { ExploreOptions } from './options.js'
import { planRuns } from './plan.js'
import { problemsOf } from './problems.js'
import type { ExplorationReport, ReportedRun } from './report.js'
import { reproductionOfAny } from './reproduction.js'
import { BASELINE } from './run.js'
import type { Runs } from './runs.js'

/** Composes the report of an exploration from its runs. */
export function composeReport(exploration: Runs, options: ExploreOptions): ExplorationReport {
  const { baseline, queue, reported } = exploration
  const { command, seed, repeat = repeatOf(command) } = options
  const { facts } = baseline.run
  const ofBaseline = baselineIn(baseline, options)
  const runs = [...ofBaseline, ...queue.ids.flatMap((id) => reported.get(id) ?? [])]
  const wrong = runs.filter(({ ok, because }) => !ok && because === undefined)
  const failsAtOnce = wrong.some(({ id }) => id === BASELINE)
  const { within, beyond } = queue.left
  const planned = new Map(planRuns(baseline.places).map((run) => [run.id, run]))
  const isStopped = options.listOnly === true || options.signal?.aborted === true
  return {
    version: 1,
    command,
    seed,
    dialect: [...new Set(baseline.places.map(({ dialect }) => dialect))].join(', '),
    baseline: {
      status: 0,
      requests: facts.requests,
      tasks: facts.tasks.length,
      cost_usd: toDollars(facts.cost),
      places: baseline.places.length,
    },
    remarks: remarksOf(exploration, options, runs),
    runs,
    problems: [
      ...(failsAtOnce ? baselineProblems(baseline.run, repeat(BASELINE)) : []),
      ...problemsOf(
        wrong.filter(({ id }) => id !== BASELINE),
        {
          repeat,
          waysToFind: waysIn(baseline),
          reproduce: (ids) => reproductionOfAny(ids, planned, baseline),
        },
      ),
    ],
    left_out: {
      max_runs: beyond,
      budget: isStopped ? 0 : within,
      runs: isStopped ? [] : queue.waiting,
    },
    accepted: acceptedIn(baseline, runs, options.accepted),
    summary: {
      runs: runs.length,
      ok: runs.filter(({ ok }) => ok).length,
      errors: wrong.filter(({ severity }) => severity === 'error').length,
      warnings: wrong.filter(({ severity }) => severity === 'warning').length,
    },
  }
}

/** The baseline, if it is a problem, and the exploration is not about other runs alone. */
function baselineIn({ run }: Baseline, { listOnly, only, accepted }: ExploreOptions): readonly ReportedRun[] {
  const isWanted = listOnly !== true && (only === undefined || only.includes(BASELINE))
  const found = isWanted ? reportedBaseline(run) : undefined
  return found === undefined ? [] : [asAccepted(found, accepted)]
}

/** How the client could find its tasks without their ids. */
function waysIn({ run }: Baseline): readonly WayToFind[] {
  return [...new Set(run.facts.tasks.flatMap(({ waysToFind }) => waysToFind))]
}

function repeatOf(command: readonly string[]): (id: string) => string {
  return (id) => `tasksim explore --only "${id}" -- ${command.join(' ')}`
}

function remarksOf(
  { baseline, queue, missed }: Runs,
  { signal, expectations = [] }: ExploreOptions,
  runs: readonly ReportedRun[],
): string[] {
  const { within, beyond } = queue.left
  const isWhole = runs.length > 0 && within + beyond === 0
  const unused = expectations.filter((each) => isWhole && !runs.some((run) => isAbout(each, run)))
  return [
    ...baseline.remarks,
    ...(signal?.aborted === true && within > 0
      ? [`The exploration was interrupted before ${within} of its runs.`]
      : []),
    ...(missed.length > 0
      ? [`These runs did not reach their place, so nothing went wrong in them: ${missed.join(', ')}.`]
      : []),
    ...(isUnsure(runs) && waysIn(baseline).includes('possible_webhook') ? [WEBHOOK_WOULD_TELL] : []),
    ...unused.map(
      ({ place, deviation }) =>
        `The scenario has an expectation of ${place}:${deviation}, but there is no such run.`,
    ),
  ]
}

/** Whether the client was right to report a passing failure, because it could not learn whether it had ordered a task. */
function isUnsure(runs: readonly ReportedRun[]): boolean {
  return runs.some((run) => run.class === 'transient' && run.result === 'reported')
}

const WEBHOOK_WOULD_TELL =
  'After a create request without a readable answer, the client cannot find the task. A webhook would tell: name a receiver in each create request.'

/**
 * The accepted problems that this exploration has looked for: those of its runs, and those of runs that no longer
 * exist.
 */
function acceptedIn(
  { places }: Baseline,
  runs: readonly ReportedRun[],
  accepted: readonly AcceptedProblem[] = [],
): ExplorationReport['accepted'] {
  const possible = new Set(planRuns(places).map(({ id }) => id))
  return accepted.flatMap(({ run, result }) => {
    const found = runs.find(({ id }) => id === run)
    const isImpossible = !run.includes('+') && !possible.has(run)
    if (found === undefined && !isImpossible) return []
    return [{ run, result, gone: found === undefined || found.ok || found.result !== result }]
  })
}
