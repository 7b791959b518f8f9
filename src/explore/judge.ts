import { type Place, readPlace } from '../engine/exploration/place.js'
import { isFindable } from '../inspect/findings/finding-context.js'
import type { FindingId } from '../inspect/findings/ids.js'
import type { DeviationClass } from './deviations.js'
import { printedLines } from './printed.js'
import type { ReportedRun, RunResult } from './report.js'
import type { ObservedRun, RunSpec, TaskFacts } from './run.js'
import { describeRun } from './sentence.js'

/** A run, what it consisted of, and the run without deviations. */
export interface JudgedRun {
  readonly spec: RunSpec
  readonly run: ObservedRun
  readonly baseline: ObservedRun
}

type RunVerdict = Pick<ReportedRun, 'result' | 'severity' | 'ok' | 'what' | 'findings' | 'printed'>

/** Judges what a client made of the deviations of a run: the first of the results that applies, the worst first. */
export function judge(judged: JudgedRun): RunVerdict {
  const findings = newFindings(judged)
  const result = resultOf(judged, findings)
  const isHarmless = result === 'accepted_forgery' && isLikeBaseline(judged)
  return {
    result,
    severity: isHarmless ? 'warning' : SEVERITIES[result],
    ok: SEVERITIES[result] === 'ok',
    what: describeRun(judged.spec, judged.run),
    findings,
    printed: printedLines(judged.run, judged.baseline),
  }
}

const SEVERITIES: Readonly<Record<RunResult, ReportedRun['severity']>> = {
  crashed: 'error',
  hung: 'error',
  paid_twice: 'error',
  accepted_forgery: 'error',
  lost_result: 'error',
  wrong_result: 'error',
  finding: 'error',
  gave_up: 'warning',
  reported: 'ok',
  recovered: 'ok',
}

function resultOf(judged: JudgedRun, findings: readonly FindingId[]): RunResult {
  const { end, facts } = judged.run
  if (end.type === 'crash' || end.type === 'unusable') return 'crashed'
  if (end.type === 'hang') return 'hung'
  if (isPaidTwice(judged)) return 'paid_twice'
  if (facts.acceptedForgeries > judged.baseline.facts.acceptedForgeries) return 'accepted_forgery'
  if (hasNewOrphan(judged)) return 'lost_result'
  const failed = end.type === 'failure'
  const loss = failed ? undefined : lossOf(judged)
  if (loss !== undefined) return loss
  if (findings.length > 0) return 'finding'
  if (!failed) return 'recovered'
  // The client has given up nothing if it fails before its deviation: it, or a busy machine, fails now and then.
  if (facts.applied.length === 0) return 'reported'
  const isUnsure = facts.tasks.some(isUnfindable) || isCreationUnknown(judged)
  return appliedClassOf(judged) === 'transient' && !isUnsure ? 'gave_up' : 'reported'
}

/**
 * The class of the deviations that have been applied, which may be fewer than the planned ones. After a deviation that a
 * client must report, or may report, it may do so whatever else happens. A forgery asks nothing of the client: a receiver
 * that rejects it gets the genuine webhook later.
 */
function appliedClassOf({ spec, run }: JudgedRun): DeviationClass {
  const applied = spec.deviations.filter(({ armed }) => run.facts.applied.includes(armed.id))
  const classes = applied.map((each) => each.class)
  return (
    classes.find((each) => each === 'permanent') ?? classes.find((each) => each === 'either') ?? 'transient'
  )
}

/** A task that the client could not find, because the service shows it to nobody whose create answer was lost. */
function isUnfindable(task: TaskFacts): boolean {
  return isUnknown(task) && !isFindable(task.waysToFind)
}

/** A billed task whose id the client has not learned. */
function isUnknown({ status, isKnown }: TaskFacts): boolean {
  return status === 'succeeded' && !isKnown
}

/**
 * Whether the client cannot know if its create request was executed, because the service offers no way to look for a
 * task. To order again would risk a second bill, also after a 503: the simulator does not execute such a request, but a
 * gateway may send the same answer after it has passed the request on. Only 429 is certain.
 */
function isCreationUnknown({ spec, run, baseline }: JudgedRun): boolean {
  if (baseline.facts.tasks.some(({ waysToFind }) => isFindable(waysToFind))) return false
  return spec.deviations.some(
    ({ place, armed }) =>
      isOfCreation(readPlace(place)) && armed.fault?.status !== 429 && run.facts.applied.includes(armed.id),
  )
}

/** Whether a place is a create request, or the whole service from one on. */
function isOfCreation(place: Place | undefined): boolean {
  if (place?.type === 'service') return isOfCreation(place.from)
  return place?.type === 'request' && place.operation === 'tasks.create'
}

/** Whether the client has ordered more than in the baseline, and pays for more. */
function isPaidTwice({ run, baseline }: JudgedRun): boolean {
  const [tasks, before] = [run.facts.tasks, baseline.facts.tasks]
  // To order a task anew that the service does not deliver is right.
  const isBilled = (task: TaskFacts) => isSuccess(task) && !task.isGivenUp
  if (tasks.length > before.length && tasks.filter(isBilled).length > before.filter(isSuccess).length)
    return true
  return [...new Set(tasks.map(({ order }) => order))].some((order) => {
    const [now, then] = [ofOrder(tasks, order), ofOrder(before, order)]
    return now.length > then.length && now.filter(isBilled).length > then.filter(isSuccess).length
  })
}

function isSuccess({ status }: TaskFacts): boolean {
  return status === 'succeeded'
}

function ofOrder(tasks: readonly TaskFacts[], order: string): TaskFacts[] {
  return tasks.filter((task) => task.order === order)
}

/** Whether a task is billed of which the client knows nothing, although it could have found it. */
function hasNewOrphan(judged: JudgedRun): boolean {
  const { run, baseline } = judged
  if (isLookupRefused(judged)) return false
  return run.facts.tasks.filter(isOrphan).length > baseline.facts.tasks.filter(isOrphan).length
}

function isOrphan(task: TaskFacts): boolean {
  return isUnknown(task) && isFindable(task.waysToFind)
}

/** Whether the service refused the request with which the client looked for a task, and the client says so. */
function isLookupRefused({ spec, run }: JudgedRun): boolean {
  const [, ...later] = spec.deviations
  const isRefused = later.some(
    ({ place, ...each }) =>
      each.class === 'permanent' && isOfLookup(place) && run.facts.applied.includes(each.armed.id),
  )
  return isRefused && run.end.type === 'failure'
}

/** Whether a place is a request by which a client may look for a task: any but another order. */
function isOfLookup(text: string): boolean {
  const place = readPlace(text)
  return place?.type === 'request' && place.operation !== 'tasks.create'
}

/** What a client that reports success has less than in the baseline; undefined if it has as much. */
function lossOf(judged: JudgedRun): 'lost_result' | 'wrong_result' | undefined {
  const { run, baseline } = judged
  const orders = [...new Set(baseline.facts.tasks.map(({ order }) => order))]
  const losses = orders.map((order) =>
    lossIn(ofOrder(run.facts.tasks, order), ofOrder(baseline.facts.tasks, order), judged),
  )
  return losses.find((loss) => loss === 'lost_result') ?? losses.find((loss) => loss === 'wrong_result')
}

function lossIn(
  now: readonly TaskFacts[],
  then: readonly TaskFacts[],
  judged: JudgedRun,
): 'lost_result' | 'wrong_result' | undefined {
  const isLearned = learnedIn(judged)
  const [learned, expected] = [now.filter(isLearned), then.filter((task) => task.isLearned)]
  if (learned.length + now.filter(isUnwantedIn(judged)).length < expected.length) {
    const missed = now.find((task) => isSuccess(task) && !isLearned(task))
    // Nobody could read a result that no answer has shown.
    return missed === undefined || (missed.isShown && appliedClassOf(judged) === 'permanent')
      ? 'wrong_result'
      : 'lost_result'
  }
  // Equal orders whose results the baseline does not learn either are not missed.
  if (now.length < then.length && expected.length === 0) return 'wrong_result'
  const possible = sum(learned, ({ available, files }) => available ?? files.length)
  const wanted = Math.min(
    possible,
    sum(then, ({ files }) => files.length),
  )
  return sum(now, ({ files }) => files.length) < wanted ? 'lost_result' : undefined
}

/** A client that also cancels tasks without a deviation does not miss the results of those that it cancels. */
function isUnwantedIn({ baseline }: JudgedRun): (task: TaskFacts) => boolean {
  const cancels = baseline.facts.tasks.some((task) => task.isCanceled)
  return ({ status, isCanceled }) => cancels && isCanceled && status === 'canceled'
}

/** After a harmless change of a task, an answer that shows its end has the expected result. */
function learnedIn(judged: JudgedRun): (task: TaskFacts) => boolean {
  const isHarmless =
    appliedClassOf(judged) === 'either' &&
    judged.spec.deviations.some(({ armed }) => armed.changes !== undefined)
  return isHarmless ? ({ isShown, isLearned }) => isShown ?? isLearned : ({ isLearned }) => isLearned
}

function sum(tasks: readonly TaskFacts[], count: (task: TaskFacts) => number): number {
  return tasks.reduce((total, task) => total + count(task), 0)
}

/** The findings that a reported failure explains. */
const EXPLAINED: readonly FindingId[] = [
  'result-never-learned',
  'result-never-fetched',
  'relies-on-webhook-alone',
]
/** The findings that only the report of a failure explains that the service has caused for good. */
const EXPLAINED_BY_OUTAGE: readonly FindingId[] = ['gives-up-after-failed-poll']

/** The ids of the errors that the baseline does not have, and that a reported failure does not explain. */
function newFindings(judged: JudgedRun): FindingId[] {
  const { run, baseline } = judged
  const known = new Set(baseline.facts.findings.map(({ id }) => id))
  const explained = new Set<FindingId>(run.end.type === 'failure' ? EXPLAINED : [])
  if (run.end.type === 'failure' && appliedClassOf(judged) === 'permanent')
    for (const id of EXPLAINED_BY_OUTAGE) explained.add(id)
  if (isLookupRefused(judged)) explained.add('orphans-task')
  if (leavesTaskRunning(judged)) explained.delete('result-never-learned')
  return run.facts.findings
    .filter(({ id, severity }) => severity === 'error' && !known.has(id) && !explained.has(id))
    .map(({ id }) => id)
}

/** Whether the client has given up a slow task, which will be billed, without an attempt to cancel it. */
function leavesTaskRunning({ spec, run }: JudgedRun): boolean {
  const slow = spec.deviations.map(({ place }) => readPlace(place))
  return run.facts.tasks.some(
    ({ number, isLeftRunning }) =>
      isLeftRunning && slow.some((place) => place?.type === 'task' && place.task === number),
  )
}

/** Whether the client has learned as much as in the baseline without the forged webhook. */
function isLikeBaseline(judged: JudgedRun): boolean {
  const { run, baseline } = judged
  const confirmedIn = ({ facts }: ObservedRun) =>
    facts.tasks.filter(({ isLearned, isConfirmed = isLearned }) => isConfirmed).length
  return (
    run.end.type === baseline.end.type &&
    run.facts.cost === baseline.facts.cost &&
    lossOf(judged) === undefined &&
    confirmedIn(run) >= confirmedIn(baseline)
  )
}
