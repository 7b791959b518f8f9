import type { AnsweredRequest } from '../../../engine/events.js'
import { collectEvidence, formatDuration, formatTimes, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { groupRequests, type RequestGroup } from '../request-groups.js'
import { findKnownEnd, howItFailed, isFailedPoll, isFailure, type TaskHistory } from '../task-history.js'

/** Detects a client that polls a task, or repeats a failed create request, without a deadline. */
export const pollsWithoutEnd: FindingRule = {
  id: 'polls-without-end',
  severity: 'error',
  title: 'The client waits without a deadline',
  why: 'A task can get stuck, and a service can fail for hours. A client without a deadline waits forever, and so do its callers.',
  remedy:
    'Set a deadline for each wait, whatever the answers are. At the deadline, cancel the task, if the service can do that, and report a timeout.',
  occasion: 'scenario',
  provoke:
    'Run the scenario `stuck` for longer than `findings.thresholds.longest_wait`, which a scenario can shorten.',
  check: (context) =>
    collectEvidence([...longPolled(context), ...failingCreates(context)], (occasion) =>
      'requests' in occasion ? judgeCreates(occasion.requests, context) : judgePolls(occasion, context),
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
  const gaps = requests.slice(1).map((request, index) => {
    const { at = 0, realAt = 0 } = requests[index] ?? {}
    return { simulated: request.at - at, real: request.realAt - realAt }
  })
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

function lastAnswer({ polls }: TaskHistory): string {
  const { request, reported, unknownWord } = polls.at(-1) ?? {}
  if (request === undefined || reported !== undefined) return ''
  return unknownWord === undefined
    ? ` The last poll failed ${howItFailed(request)}.`
    : ` The last answer had the unknown status \`${unknownWord.slice(0, 40)}\`.`
}

/** So many identical create requests in a row have failed before it matters whether the client has a deadline. */
const MANY = 20

/** The long series of failures of each create request, which a success ends. */
function* failingCreates({ requests }: FindingContext): Iterable<{ readonly requests: RequestGroup }> {
  const creates = requests.filter(({ operation }) => operation === 'tasks.create')
  if (creates.filter(isFailure).length < MANY) return
  const orders = groupRequests(
    creates,
    ({ key, path, query, note }) => `${key} ${path}?${query} ${note.bodyHash}`,
  )
  for (const group of orders) {
    let begin = 0
    for (let index = 0; index <= group.length; index++) {
      const request = group[index]
      if (request !== undefined && isFailure(request)) continue
      const [first, ...rest] = group.slice(begin, index)
      if (first !== undefined && rest.length + 1 >= MANY) yield { requests: [first, ...rest] }
      begin = index + 1
    }
  }
}

function judgeCreates(requests: RequestGroup, { waits, thresholds }: FindingContext): Evidence | Unclear {
  const [first] = requests
  const last = requests.at(-1) ?? first
  const isLong = waits.isAbove(spanOf(requests), thresholds.longest_wait)
  if (isLong === undefined) return waits
  const seen = `${requestLine(last)} failed ${formatTimes(requests.length)} in a row, within ${formatDuration(last.at - first.at)}`
  if (!isLong)
    return {
      reason: `${seen}. Whether the client ever stops is not visible. Let the run go on for longer than \`longest_wait\`.`,
    }
  return requestEvidence(requests, `${seen}, the last time ${howItFailed(last)}.`)
}
