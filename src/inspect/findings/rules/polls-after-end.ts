import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { collectEvidence, formatTimes, requestEvidence } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { byArrival } from '../request-groups.js'
import { isSentAfterAnswer, reportsEnd, type TaskHistory, type TaskRequest } from '../task-history.js'

/** Milliseconds. A poll after a longer interval has another reason: a user opens a page, or a URL has expired. */
const LONGEST_POLL_INTERVAL = 60_000
/** So many polls within a minute each are those of a loop, whatever the simulator's clock says about their intervals. */
const CERTAIN_SERIES = 20

/** Detects polling that continues after an answer showed a final state. */
export const pollsAfterEnd: FindingRule = {
  id: 'polls-after-end',
  severity: 'warning',
  title: 'Polling continues after the task has ended',
  why: 'A finished task never changes. A loop that misses one of the final states never stops.',
  remedy: 'Stop at every final state of the service: those of success, of failure and of a canceled task.',
  occasion: 'requests',
  provoke:
    'Let a task end while the client polls it, as in the scenario `default`. If it gets webhooks, lose them: apply the webhook fault `lost`.',
  check: (context) =>
    collectEvidence(endedTasks(context), ([history, end]) => findLatePolls(history, end, context)),
}

const MAY_POLL_ON: Unclear = {
  reason:
    'The last request about a task was a poll after its end, so the client may still have polled when the run ended. Let the run go on for a minute of the clock after the last task has ended.',
}

function* endedTasks({ histories }: FindingContext): Iterable<[TaskHistory, TaskRequest]> {
  for (const history of histories) {
    const [end] = [
      ...history.polls,
      ...history.cancels,
      ...(history.created === undefined ? [] : [history.created]),
    ]
      .filter((read) => read.reported?.isCertain === true && reportsEnd(read))
      .sort((a, b) => byArrival(a.request, b.request))
    if (end !== undefined) yield [history, end]
  }
}

function findLatePolls(
  { polls, downloads, last }: TaskHistory,
  end: TaskRequest,
  { thresholds, waits, now }: FindingContext,
): Evidence | Unclear | undefined {
  const { polls_after_end: most } = thresholds
  let series: AnsweredRequest[] = []
  let longest: AnsweredRequest[] = []
  // Whether the series has a gap that is long on one of the clocks only.
  let [isUnclear, isLongestUnclear] = [false, false]
  let previous = end.request
  for (const { request } of polls) {
    if (!isSentAfterAnswer(request, end.request)) continue
    const from = previous
    const hasDownload = downloads.some(({ id }) => id > from.id && id < request.id)
    const isLong = waits.isLonger(previous, request, LONGEST_POLL_INTERVAL)
    if (isLong || hasDownload) [series, isUnclear] = [[], false]
    isUnclear ||= isLong === undefined
    series.push(request)
    if (series.length > longest.length) [longest, isLongestUnclear] = [series, isUnclear]
    previous = request
  }
  const [first, ...rest] = longest
  if (first === undefined) return undefined
  if (longest.length <= most) {
    const isLast = series.at(-1) === last && last !== undefined
    return isLast && now - last.answeredAt < waits.onClock(LONGEST_POLL_INTERVAL) ? MAY_POLL_ON : undefined
  }
  if (isLongestUnclear && longest.length <= CERTAIN_SERIES) return waits
  return requestEvidence(
    [first, ...rest],
    `After the answer \`${end.reported?.status}\`, the client polled ${formatTimes(longest.length)} more.`,
  )
}
