import { collectEvidence, findLoop, formatDuration, requestEvidence } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { reportsEnd, type TaskHistory } from '../task-history.js'

/** Detects polls with a shorter interval than the service recommends for the kind of task. */
export const pollsTooFast: FindingRule = {
  id: 'polls-too-fast',
  severity: 'warning',
  title: 'A task is polled faster than recommended',
  why: 'Polls count against the rate limit. Faster polls do not make a task end sooner.',
  remedy:
    'Wait as long between polls as the service recommends: often 1 to 2 seconds, and 3 to 10 for videos. Many official clients have an option for the interval.',
  occasion: 'requests',
  provoke:
    'Let the client poll a task more than once, as in the scenario `default`. If it waits for a webhook first, let tasks take longer than it waits.',
  check: (context) => {
    const polled = context.histories.filter(
      ({ task, polls }) => task && polls.length > 1 && context.pollIntervalOf(task) !== undefined,
    )
    return collectEvidence(polled, (history) => findFastPolls(history, context))
  },
}

const TOO_FEW: Unclear = {
  reason: 'The task ended after so few polls that they show no habit. Let tasks take longer.',
}

function findFastPolls(
  { polls, task }: TaskHistory,
  { thresholds, pollIntervalOf, waits }: FindingContext,
): Evidence | Unclear | undefined {
  const loop = findLoop(
    polls.map(({ request }) => request),
    'polls',
  )
  if (loop !== undefined) return loop
  const interval = task && pollIntervalOf(task)
  if (interval === undefined) return undefined
  const fast = []
  let [shortest, unclear, slow] = [Infinity, 0, 0]
  for (const [index, { request }] of polls.entries()) {
    const previous = polls[index - 1]
    // A poll after a failure is a retry, and another rule checks polls after the end.
    if (previous?.reported === undefined || reportsEnd(previous)) continue
    // If the client lets the service hold the answer, the service sets the pace.
    const { wait = 0 } = previous.request.note
    const least = interval * (1 - thresholds.tolerance)
    const isFast = wait >= least ? false : waits.isShorter(previous.request, request, least)
    if (isFast === undefined) unclear += 1
    else if (!isFast) slow += 1
    else {
      fast.push(request)
      shortest = Math.min(shortest, request.at - previous.request.at)
    }
  }
  const [first, ...rest] = fast
  if (first === undefined || fast.length < thresholds.fast_polls) {
    if (fast.length + unclear >= thresholds.fast_polls) return waits
    return slow > fast.length + unclear ? undefined : TOO_FEW
  }
  return requestEvidence(
    [first, ...rest],
    `${fast.length} polls came less than ${formatDuration(interval)} after the previous one; the shortest interval was ${formatDuration(shortest)}.`,
  )
}
