import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { collectEvidence, formatDuration, formatTimes, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule, RuleResult, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import {
  answerOf,
  endOf,
  findKnownEnd,
  howItFailed,
  isFailedPoll,
  type TaskHistory,
  type TaskRequest,
  trailingFailures,
} from '../task-history.js'

/** Detects a client that stops polling after one or a few failed polls. */
export const givesUpAfterFailedPoll: FindingRule = {
  id: 'gives-up-after-failed-poll',
  severity: 'error',
  title: 'Polling stops after a failed poll',
  why: 'Only the poll failed. The task continues, and it is billed when it succeeds.',
  remedy: 'If a poll fails with 429, with 5xx or without an answer, poll again with increasing delays.',
  occasion: 'fault',
  provoke:
    'Apply the fault `503` or `reset` to `tasks.retrieve`, or let the client poll from 30 to 90 seconds after the start of the scenario `outage`. If it gets webhooks, lose them: apply the webhook fault `lost`, too.',
  check: (context) => checkStops(context, (poll) => poll.unknownWord === undefined),
}

/** Detects a client that stops polling at a status that it does not know, as clients with types do. */
export const stopsAtUnknownStatus: FindingRule = {
  id: 'stops-at-unknown-status',
  severity: 'warning',
  title: 'Polling stops at an unknown status',
  why: 'A service may add states. The task continues, and it is billed when it succeeds.',
  remedy:
    'Treat an unknown status as not final: poll on until your deadline, and report the word. Code that validates answers needs a case for it.',
  occasion: 'fault',
  provoke: 'Apply the fault `{ patch: { status: on_hold } }` to `tasks.retrieve`.',
  check: (context) => checkStops(context, (poll) => poll.unknownWord !== undefined),
}

/** Checks the tasks with a failed poll of some kind, at which the client may have stopped. */
function checkStops(context: FindingContext, isOfKind: (poll: TaskRequest) => boolean): RuleResult {
  const failing = context.histories.filter(
    ({ task, polls }) => task !== undefined && polls.some((poll) => isFailedPoll(poll) && isOfKind(poll)),
  )
  return collectEvidence(failing, (history) => {
    const trailing = trailingFailures(history)
    const last = trailing.at(-1)
    if (last === undefined || !isOfKind(last)) return undefined
    const failures = trailing.map(({ request }) => request)
    if (isWaiting(last.request)) return STILL_WAITS
    if (mayLearnLater(history, context))
      return stopsEarly(failures, context) === false ? undefined : MAY_LEARN
    if (isAbandoned(history, context) && hasNothingToFetch(history)) return MAY_HAVE_READ
    const isTooEarly = isAbandoned(history, context) && stopsEarly(failures, context)
    return isTooEarly === undefined ? context.waits : isTooEarly ? describeFailures(history) : undefined
  })
}

/** Whether a request has no answer yet, and its connection is open. */
function isWaiting({ note: { unanswered } }: AnsweredRequest): boolean {
  return unanswered !== undefined && unanswered.closed === undefined
}

const STILL_WAITS: Unclear = {
  reason:
    'The client still waited for the answer to a poll when the run ended. Give its requests a timeout, and let the run last until the client has given up or has the result.',
}

const MAY_LEARN: Unclear = {
  reason:
    'Polling stopped after a failed poll, before the webhook of the task was due, so the client may have waited for it. Let the run last until the task has ended, and lose the webhook: apply the webhook fault `lost`.',
}

const MAY_HAVE_READ: Unclear = {
  reason:
    'Polling stopped at an unknown status of a task that had ended without files. Whether the client read the end in this answer is not visible. Use a task with files.',
}

/** Whether the last answer had an unknown word for the end of a task without files to download. */
function hasNothingToFetch(history: TaskHistory): boolean {
  const { task, hasFiles } = history
  const { request, unknownWord } = trailingFailures(history).at(-1) ?? {}
  if (request === undefined || unknownWord === undefined || task?.completedAt === undefined) return false
  const isOfEnd = task.completedAt <= request.answeredAt
  return isOfEnd && (hasFiles || (task.result?.files ?? 0) === 0)
}

/** Whether the client stopped after failed polls, and a webhook may still tell it the result. */
function mayLearnLater(history: TaskHistory, context: FindingContext): boolean {
  return (
    stopsAfterFailures(history, context) &&
    context.awaitsWebhook(history) &&
    !context.mayHaveBeenTold(history)
  )
}

/** Milliseconds. A client that had no answer for so long may give up, however few polls it has sent. */
const LONG_ENOUGH = 60_000

/** Milliseconds. However many polls have failed within it, the service may only have restarted. */
const AT_LEAST = 5_000

/** Whether the client did nothing more for a task after failed polls, and no webhook may tell it the result. */
export function isAbandoned(history: TaskHistory, context: FindingContext): boolean {
  const mayLearn = context.mayHaveBeenTold(history) || context.awaitsWebhook(history)
  return stopsAfterFailures(history, context) && !mayLearn
}

function stopsAfterFailures(history: TaskHistory, context: FindingContext): boolean {
  const last = trailingFailures(history).at(-1)?.request
  if (last === undefined || !context.isSilentSince(last.answeredAt + (last.retryAfter ?? 0))) return false
  return findKnownEnd(history) === undefined && !hasRequestAfter(history, last.id)
}

/** Whether failed requests were too few, or came within too short a time, to give up. Undefined if it is unclear. */
export function stopsEarly(
  failures: readonly AnsweredRequest[],
  { thresholds, waits }: FindingContext,
): boolean | undefined {
  const [first, last] = [failures[0], failures.at(-1)]
  if (first === undefined || last === undefined) return false
  const end = endOf(last) ?? answerOf(last)
  const long = failures.length < thresholds.failed_polls ? LONG_ENOUGH : AT_LEAST
  return first === last && end.at - first.at < long ? true : waits.isShorter(first, end, long)
}

function hasRequestAfter({ listed, cancels, results }: TaskHistory, id: string): boolean {
  return [listed, ...cancels, ...results].some((read) => read !== undefined && read.request.id > id)
}

function describeFailures(history: TaskHistory): Evidence | undefined {
  const failures = trailingFailures(history)
  const [first, ...rest] = failures.map(({ request }) => request)
  if (first === undefined) return undefined
  const word = failures.at(-1)?.unknownWord
  if (word !== undefined) {
    const seen = `${requestLine(rest.at(-1) ?? first)} was answered with the unknown status \`${word.slice(0, 40)}\`, and the client stopped without the output.`
    return requestEvidence([first, ...rest], seen)
  }
  const how = howItFailed(first)
  const last = rest.at(-1)
  const waited = last === undefined ? '' : `, the last time ${formatDuration(last.at - first.at)} later`
  return requestEvidence(
    [first, ...rest],
    `${requestLine(first)} failed ${how} (${formatTimes(rest.length + 1)}${waited}), and the client stopped.`,
  )
}
