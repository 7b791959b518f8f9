import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { LONGEST_LOOP } from '../../../engine/requests/request-loops.js'
import {
  collectEvidence,
  findLoop,
  formatDuration,
  formatTimes,
  requestEvidence,
  requestLine,
} from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { fileOf, groupRequests, type RequestGroup } from '../request-groups.js'
import { findKnownEnd, howItFailed, isFailedPoll, isFailure, type TaskHistory } from '../task-history.js'

/** Detects a client that polls a task, or repeats a request that fails, without a deadline. */
export const pollsWithoutEnd: FindingRule = {
  id: 'polls-without-end',
  severity: 'error',
  title: 'The client waits without a deadline',
  why: 'A task can get stuck, and a service can fail for hours. A client without a deadline waits forever, and so do its callers.',
  remedy:
    'Set a deadline for each wait, whatever the answers are. At the deadline, cancel the task, if the service can do that, and report a timeout.',
  occasion: 'scenario',
  provoke:
    'Run the scenario `stuck` until the client cancels the task or gives up, or for longer than `findings.thresholds.longest_wait`, which a scenario can shorten.',
  check: (context) =>
    collectEvidence<() => Evidence | Unclear | undefined>(
      [
        ...longPolled(context).map((history) => () => judgePolls(history, context)),
        ...leftRunning(context).map((history) => () => judgeEnd(history, context)),
        ...[...failingSeries(context)].map((series) => () => judgeSeries(series, context)),
        ...loops(context).map((loop) => () => loop),
      ],
      (judge) => judge(),
    ),
}

/** The polled tasks that ran for longer than `longest_wait`, or about which a client got no answer for so long. */
function longPolled(context: FindingContext): TaskHistory[] {
  const { histories, now, thresholds } = context
  return histories.filter((history) => {
    const { task, polls } = history
    if (task === undefined || polls.length === 0 || context.mayHaveBeenTold(history)) return false
    const isWithoutAnswer = findKnownEnd(history) === undefined && polls.some(isFailedPoll)
    const end = isWithoutAnswer ? now : (task.completedAt ?? now)
    const begin = beginOf(history)
    const longest = thresholds.longest_wait
    return end - begin > longest || spanOf(waitOf(history, context)).simulated > longest
  })
}

/** The polled tasks whose end the client did not wait for, apart from those of {@link longPolled}. */
function leftRunning(context: FindingContext): TaskHistory[] {
  const long = new Set(longPolled(context))
  return context.histories.filter((history) => {
    const { task, polls, cancels } = history
    if (task === undefined || polls.length === 0 || long.has(history)) return false
    return cancels.length > 0 || (findKnownEnd(history) === undefined && !hasFailedLast(polls))
  })
}

function hasFailedLast(polls: TaskHistory['polls']): boolean {
  const last = polls.at(-1)
  return last !== undefined && isFailedPoll(last)
}

const STILL_POLLED: Unclear = {
  reason:
    'A task that the client polled had not ended at the end of the run. Nothing shows whether its loop would ever stop. Let the client cancel the task or give up, and then let the clock go on for five minutes and more than three of its intervals: in Vitest, call `await sim.clock.advance("1h")` before the verdict.',
}

/** A client that cancels a task, or stops polling it, ends its wait. */
function judgeEnd({ created, polls, cancels }: TaskHistory, context: FindingContext): Unclear | undefined {
  const requests = [created, ...polls].flatMap((read) => read?.request ?? [])
  return cancels.length > 0 || hasStopped(requests, context) ? undefined : STILL_POLLED
}

/** So many times its longest wait must a client be silent before its loop has ended. */
const INTERVALS = 3

/** Whether a client has ended a loop by itself: it has been silent for much longer than between two requests. */
function hasStopped(requests: readonly AnsweredRequest[], context: FindingContext): boolean {
  const { hasExited, now, waits, thresholds } = context
  if (hasExited) return true
  const gaps = gapsOf(requests)
  // On a manual clock, a client that waits in real time has waited for nothing when a test moves the clock.
  const isOnClock = waits.areOnClock || gaps.every(({ simulated, real }) => real < simulated + 1_000)
  const longest = Math.max(0, ...gaps.map(({ simulated }) => simulated))
  const silence = Math.max(INTERVALS * longest, waits.onClock(thresholds.silence))
  return isOnClock && longest > 0 && now - (requests.at(-1)?.answeredAt ?? now) > silence
}

/** The create request, and the polls before the client knew the end. */
function waitOf(history: TaskHistory, { now }: FindingContext): AnsweredRequest[] {
  const { created, polls } = history
  const end = findKnownEnd(history)?.at ?? now
  const waiting = polls.map(({ request }) => request).filter(({ at }) => at <= end)
  return created === undefined ? waiting : [created.request, ...waiting]
}

function beginOf({ created, task, polls }: TaskHistory): number {
  return created?.request.at ?? task?.createdAt ?? polls[0]?.request.at ?? 0
}

function judgePolls(history: TaskHistory, context: FindingContext): Evidence | Unclear | undefined {
  const { waits, thresholds } = context
  const wait = waitOf(history, context)
  const [begin] = wait
  const last = wait.at(-1)
  if (begin === undefined || last === undefined) return undefined
  const isLate = isAnsweredLate(history, begin, context)
  const isLong = isLate || waits.isAbove(spanOf(wait), thresholds.longest_wait)
  if (!isLong) return isLong === undefined || isLate === undefined ? waits : undefined
  const seen = `The client still polled the task ${formatDuration(last.at - beginOf(history))} after its creation.`
  return requestEvidence([last], `${seen}${lastAnswer(history)}`)
}

/** Whether a poll of a task that runs for long was answered after `longest_wait`. Undefined if it is unclear. */
function isAnsweredLate(
  { task, polls }: TaskHistory,
  begin: AnsweredRequest,
  { now, thresholds: { longest_wait: longest }, waits }: FindingContext,
): boolean | undefined {
  if (task === undefined || (task.completedAt ?? now) - task.createdAt <= longest) return false
  const lengths = polls
    .filter(({ reported }) => reported !== undefined)
    .map(({ request }) => waits.isLonger(begin, request, longest))
  return lengths.includes(true) || (lengths.includes(undefined) ? undefined : false)
}

/** How long a client sent requests, without its longest pause, during which it may not have run. */
function spanOf(requests: readonly AnsweredRequest[]): { simulated: number; real: number } {
  const gaps = gapsOf(requests)
  const longest = Math.max(...gaps.map(({ simulated }) => simulated))
  gaps.splice(
    gaps.findIndex(({ simulated }) => simulated === longest),
    1,
  )
  return {
    simulated: gaps.reduce((sum, { simulated }) => sum + simulated, 0),
    real: gaps.reduce((sum, { real }) => sum + real, 0),
  }
}

/** The milliseconds between each two requests. */
function gapsOf(requests: readonly AnsweredRequest[]): { simulated: number; real: number }[] {
  return requests.slice(1).map((request, index) => {
    const { at = 0, realAt = 0 } = requests[index] ?? {}
    return { simulated: request.at - at, real: request.realAt - realAt }
  })
}

function lastAnswer({ polls }: TaskHistory): string {
  const { request, reported, unknownWord } = polls.at(-1) ?? {}
  if (request === undefined || reported !== undefined) return ''
  return unknownWord === undefined
    ? ` The last poll failed ${howItFailed(request)}.`
    : ` The last answer had the unknown status \`${unknownWord.slice(0, 40)}\`.`
}

/** So many equal requests in a row have failed before it matters whether the client has a deadline. */
const MANY = 20

/** The long series of failures of each request that is not a poll, which a success ends. */
function* failingSeries({ requests }: FindingContext): Iterable<RequestGroup> {
  const others = requests.filter(({ operation }) => !isPoll(operation))
  if (others.filter(isFailure).length < MANY) return
  for (const group of groupRequests(others, identityOf)) {
    let begin = 0
    for (let index = 0; index <= group.length; index++) {
      const request = group[index]
      if (request !== undefined && isFailure(request)) continue
      const [first, ...rest] = group.slice(begin, index)
      if (first !== undefined && rest.length + 1 >= MANY) yield [first, ...rest]
      begin = index + 1
    }
  }
}

/** Whether {@link longPolled} or another rule is about the requests. */
function isPoll(operation: AnsweredRequest['operation']): boolean {
  return operation === 'tasks.retrieve' || operation === 'tasks.stream'
}

/** Equal for requests of a client that ask for the same. */
function identityOf(request: AnsweredRequest): string {
  const { key, method, path, query, operation, note } = request
  if (operation === 'files.download') return `${key} ${method} ${fileOf(request)}`
  return `${key} ${method} ${path}?${query} ${note.bodyHash}`
}

function judgeSeries(requests: RequestGroup, context: FindingContext): Evidence | Unclear | undefined {
  const { waits, thresholds } = context
  const [first] = requests
  const last = requests.at(-1) ?? first
  const isLong = waits.isAbove(spanOf(requests), thresholds.longest_wait)
  if (isLong === undefined) return waits
  const seen = `${requestLine(last)} failed ${formatTimes(requests.length)} in a row, within ${formatDuration(last.at - first.at)}`
  if (isLong) return requestEvidence(requests, `${seen}, the last time ${howItFailed(last)}.`)
  if (hasStopped(requests, context)) return undefined
  return {
    reason: `${seen}. Whether the client ever stops is not visible. Let the run go on for longer than \`longest_wait\`.`,
  }
}

/** The loops that wait neither on the clock nor in real time. Another rule is about those of polls. */
function loops({ requests }: FindingContext): Evidence[] {
  if (requests.length < LONGEST_LOOP) return []
  const others = requests.filter(({ operation }) => !isPoll(operation))
  return groupRequests(others, identityOf).flatMap(
    (group) => findLoop(group, `requests \`${requestLine(group[0])}\``) ?? [],
  )
}
