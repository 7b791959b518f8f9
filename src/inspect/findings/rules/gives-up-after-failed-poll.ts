import { collectEvidence, formatDuration, formatTimes, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import {
  findKnownEnd,
  hasPendingDelivery,
  isFailedPoll,
  type TaskHistory,
  trailingFailures,
} from '../task-history.js'

/** Detects a client that stops polling after one or a few failed polls. */
export const givesUpAfterFailedPoll: FindingRule = {
  id: 'gives-up-after-failed-poll',
  severity: 'error',
  title: 'Polling stops after a failed poll',
  why: 'Only the poll failed. The task continues, and it is billed when it succeeds.',
  remedy: 'If a poll fails with 429, with 5xx or without an answer, poll again with increasing delays.',
  provoke: 'Run the scenario `outage`, or apply the fault `503` or `reset` to `tasks.retrieve`.',
  check: (context) => {
    const failing = context.histories.filter(
      ({ task, polls }) => task !== undefined && polls.some(isFailedPoll),
    )
    return collectEvidence(failing, (history) =>
      isAbandoned(history, context) ? describeFailures(history) : undefined,
    )
  },
}

/** Whether the client did nothing more for a task after a few failed polls. */
export function isAbandoned(history: TaskHistory, context: FindingContext): boolean {
  const failures = trailingFailures(history)
  const last = failures.at(-1)?.request
  if (last === undefined || failures.length >= context.thresholds.failed_polls) return false
  if (!context.isSilentSince(last.answeredAt + (last.retryAfter ?? 0)) || awaitsWebhook(history, context))
    return false
  return findKnownEnd(history) === undefined && !hasRequestAfter(history, last.id)
}

function hasRequestAfter({ listed, cancels, results }: TaskHistory, id: string): boolean {
  return [listed, ...cancels, ...results].some((read) => read !== undefined && read.request.id > id)
}

function awaitsWebhook(history: TaskHistory, { webhookAttempts, mayHaveBeenTold }: FindingContext): boolean {
  const { task } = history
  if (mayHaveBeenTold(history)) return true
  if (task?.completedAt === undefined) return task?.webhookUrl !== undefined || webhookAttempts.length > 0
  return hasPendingDelivery(history)
}

function describeFailures(history: TaskHistory): Evidence | undefined {
  const [first, ...rest] = trailingFailures(history).map(({ request }) => request)
  if (first === undefined) return undefined
  const how = first.status === 0 ? 'without an answer' : `with ${first.status}`
  const last = rest.at(-1)
  const waited = last === undefined ? '' : `, the last time ${formatDuration(last.at - first.at)} later`
  return requestEvidence(
    [first, ...rest],
    `${requestLine(first)} failed ${how} (${formatTimes(rest.length + 1)}${waited}), and the client stopped.`,
  )
}
