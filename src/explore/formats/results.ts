import { counted } from '../../engine/counted.js'
import type { ExplorationReport, Problem, ReportedRun, RunCell, RunResult } from '../report.js'
import { BASELINE } from '../run.js'
import { isSingle } from './matrix.js'

/** The sign of a result in a matrix. */
export const SIGNS: Readonly<Record<RunResult, string>> = {
  recovered: '.',
  reported: 'r',
  gave_up: 'g',
  finding: 'f',
  wrong_result: 'W',
  lost_result: 'L',
  accepted_forgery: 'F',
  paid_twice: 'P',
  hung: 'H',
  crashed: 'C',
}

/** What each other result means. */
const MEANINGS: Readonly<Record<Exclude<RunResult, 'finding'>, string>> = {
  recovered: 'success, with the expected result',
  reported: 'the client reports the failure',
  gave_up: 'the client reports a failure that passes',
  wrong_result: 'success is reported without the expected result',
  lost_result: 'a billed result is lost',
  accepted_forgery: 'a forged webhook is accepted',
  paid_twice: 'more tasks are billed than without the failure',
  hung: 'the client does not end',
  crashed: 'the client crashes',
}

/** What a result means in a report, with the ids of the findings. */
export function meaningOf(result: RunResult, runs: readonly ReportedRun[]): string {
  if (result !== 'finding') return MEANINGS[result]
  const ids = runs.filter((run) => run.result === 'finding').flatMap(({ findings }) => findings)
  return `another mistake: ${[...new Set(ids)].join(', ')}`
}

/** How a report shows a run: `excused` if it says why the result is right, or accepts it. */
type Mark = 'ok' | 'excused' | 'warning' | 'error'

export interface MarkedRun extends ReportedRun {
  readonly mark: Mark
}

/** The runs of a report, with how it shows them. */
export function markedRuns({ runs, accepted }: ExplorationReport): MarkedRun[] {
  const excused = new Set(accepted.map(({ run, result }) => `${run} ${result}`))
  return runs.map((run) => {
    const { id, result, ok, severity, because } = run
    if (because !== undefined || (!ok && excused.has(`${id} ${result}`))) return { ...run, mark: 'excused' }
    return { ...run, mark: ok || severity === 'ok' || severity === 'note' ? 'ok' : severity }
  })
}

/** The report in a line, such as `84 runs: 71 ok, 3 errors, 1 warning.` */
export function summaryOf({ summary, left_out, accepted }: ExplorationReport): string {
  const { runs, ok, errors, warnings } = summary
  const remaining = accepted.filter(({ gone }) => !gone).length
  const parts = [
    `${ok} ok`,
    counted(errors, 'error'),
    counted(warnings, 'warning'),
    ...(remaining === 0 ? [] : [`${remaining} accepted`]),
  ]
  const left = left_out.max_runs + left_out.budget
  return `${counted(runs, 'run')}: ${parts.join(', ')}${left === 0 ? '' : `; ${left} left out`}.`
}

/** What the exploration did not do, and what became of the accepted problems, in sentences. */
export function remarksOf({ remarks, left_out, accepted, runs: done }: ExplorationReport): string[] {
  const { max_runs, budget, runs } = left_out
  const gone = accepted.filter((each) => each.gone).map(({ run, result }) => `${run} (${result})`)
  return [
    ...remarks,
    ...(max_runs === 0 ? [] : [`${counted(max_runs, 'run')} left out: raise --max-runs.`]),
    ...(budget === 0 ? [] : [`${counted(budget, 'run')} left out for lack of time: raise --budget.`]),
    ...(runs.length === 0 ? [] : [`Left out: ${leftOutAt(runs, done).join('; ')}.`]),
    ...(gone.length === 0
      ? []
      : [`Accepted problems that no longer occur: ${gone.join(', ')}. Remove them from the file.`]),
  ]
}

/** Deviations of a place that a line lists, and places of a remark. */
const [MAX_WORDS, MAX_PLACES] = [6, 30]

/** Such as `file#1.0: cut, slow`, `task#1: 9 of 12` or `tasks.create#1: all 18`. */
function leftOutAt(left: readonly RunCell[], done: readonly RunCell[]): string[] {
  const places = [...new Set(left.map(({ place }) => place))]
  const lines = places.slice(0, MAX_PLACES).map((place) => {
    const here = left.filter((run) => run.place === place)
    const doneHere = done.filter((run) => run.place === place).length
    if (doneHere === 0 && here.length > 1) return `${place}: all ${here.length}`
    if (here.length > MAX_WORDS) return `${place}: ${here.length} of ${here.length + doneHere}`
    const words = here.map((run) => (isSingle(run) ? run.deviation : run.id.slice(place.length + 1)))
    return `${place}: ${words.join(', ')}`
  })
  const more = places.length - lines.length
  return more > 0 ? [...lines, `${counted(more, 'further place')}`] : lines
}

/** The baseline in a line. */
export function baselineOf({ baseline, dialect, seed }: ExplorationReport): string {
  const { requests, tasks, places, cost_usd } = baseline
  const size = [counted(requests, 'request'), counted(tasks, 'task'), counted(places, 'place')].join(', ')
  return `Without failures: ${size}, $${cost_usd.toFixed(4).replace(/(\.\d\d\d*?)0+$/, '$1')}. Dialect ${dialect}, seed ${seed}.`
}

/** Such as `tasks.create: lost, cut (3 runs)`, `polls-too-fast at file: 503 (1 run)`, or `polls-too-fast without failures`. */
export function causeOf({ operation, findings, deviations, runs }: Problem): string {
  const mistake = findings.join(', ')
  if (operation === BASELINE) return `${mistake} without failures`
  const cause = `${operation}: ${deviations.join(', ')} (${counted(runs.length, 'run')})`
  return mistake === '' ? cause : `${mistake} at ${cause}`
}
