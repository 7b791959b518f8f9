import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import type { Task } from '../../../engine/tasks/task.js'
import { collectEvidence, requestEvidence, requestLine } from '../evidence.js'
import { type Evidence, type FindingRule, type Unclear, WEBHOOK_DUE } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import {
  endsWithRejection,
  findKnownEnd,
  findLateCancel,
  hasPendingDelivery,
  isAccepted,
  isDropped,
  isGenuine,
  isUnanswered,
  isUndeliverable,
  showsId,
  type TaskHistory,
} from '../task-history.js'
import { isAbandoned } from './gives-up-after-failed-poll.js'
import { findRetry } from './pays-twice.js'
import { isTakenForResult } from './takes-unfinished-for-result.js'

/** Detects a task whose end was never reported to the client. */
export const resultNeverLearned: FindingRule = {
  id: 'result-never-learned',
  severity: 'error',
  title: 'The client never learns the result of a task',
  why: 'A task that succeeded is billed, but the client does not have its output. Later the service deletes it.',
  remedy:
    'Poll each task until it ends, or accept its webhook. After a restart, resume polling of unfinished tasks. If you give up on a task, cancel it. If a cancel request is rejected because the task has ended, request the task once more.',
  occasion: 'requests',
  provoke: 'Let the client create a task, as in the scenario `default`.',
  check: (context) =>
    collectEvidence(
      context.histories.filter((history) => isKnownToClient(history) && !isExcused(history, context)),
      (history) => judge(history, context),
    ),
}

/** If a test created the task without a request, only later requests show that the client knows the task. */
function isKnownToClient({ task, created, polls, cancels, results, listed }: TaskHistory): boolean {
  if (task === undefined) return false
  if (created !== undefined && showsId(created)) return true
  return polls.length + cancels.length + results.length > 0 || listed !== undefined
}

/** For a task whose cancel request neither ended it nor was rejected because it had ended. */
const CANCEL_FAILED: Unclear = {
  reason:
    'A cancel request failed, and the task went on. It is not known whether the client wants its result. Repeat such a request, or let it succeed.',
}
const STILL_RUNNING: Unclear = {
  reason:
    'A task was still running at the end, so it is not known whether the client would have learned its result. Let all tasks end: on a manual clock, call `await sim.clock.runUntilIdle()` before the verdict; otherwise, keep the test open.',
}

function judge(history: TaskHistory, context: FindingContext): Evidence | Unclear | undefined {
  const { task } = history
  if (task === undefined || findKnownEnd(history) !== undefined) return undefined
  if (context.isOver && isForgotten(history, context)) return describeForgotten(task)
  if (task.completedAt === undefined) return STILL_RUNNING
  if (hasPendingDelivery(history) && !(context.isOver && isUnanswered(history))) return WEBHOOK_DUE
  const late = findLateCancel(history)
  if (late !== undefined) return describeLateCancel(late)
  if (history.cancels.length > 0) return CANCEL_FAILED
  const seen = `The task ended (${task.status}), but no poll, list or accepted webhook reported this to the client.`
  return { at: task.completedAt, taskId: task.id, seen }
}

function describeLateCancel(request: AnsweredRequest): Evidence {
  const seen = `${requestLine(request)} came too late (${request.status}): the task had succeeded, and is billed. The client did not ask for its result.`
  return requestEvidence([request], seen)
}

/** Whether a client has done nothing for a running task, and no webhook may report its end. */
function isForgotten(history: TaskHistory, context: FindingContext): boolean {
  const { task, polls, cancels, results, listed } = history
  if (task?.completedAt !== undefined || context.awaitsWebhook(history)) return false
  return polls.length + cancels.length + results.length === 0 && listed === undefined
}

function describeForgotten({ id, createdAt }: Task): Evidence {
  const seen =
    'The client never asked for the task, and registered no webhook. The task was still running at the end. If the client would have asked later, end the test later, or ignore this finding in it.'
  return { at: createdAt, taskId: id, seen }
}

/** Whether the client had no occasion to learn the result, or another rule is about it. */
function isExcused(history: TaskHistory, context: FindingContext): boolean {
  const { task, polls, cancels, deliveries, webhookAttempts } = history
  const asked = [polls.at(-1), cancels.at(-1)].map((read) => read?.request.answeredAt ?? 0)
  const last = Math.max(task?.completedAt ?? task?.createdAt ?? 0, ...asked)
  if (findKnownEnd(history) !== undefined) return false
  if (!context.isSilentSince(last)) return true
  // The client does not want the result, or has an answer that it must report.
  if (isDropped(history) || endsWithRejection(history) || context.mayHaveBeenTold(history)) return true
  // More specific rules report these cases.
  const acceptedForgery = webhookAttempts.some(({ attempt }) => isAccepted(attempt) && !isGenuine(attempt))
  if (acceptedForgery || isAbandoned(history, context) || isTakenForResult(history, context)) return true
  if (findRetry(history, context) !== undefined) return true
  return [...deliveries.values()].some(isUndeliverable)
}

/** Detects a client that does not request a task after the webhook of the task was lost. */
export const reliesOnWebhookAlone: FindingRule = {
  id: 'relies-on-webhook-alone',
  severity: 'error',
  title: 'A lost webhook loses the result',
  why: 'Webhooks get lost during deployments and network failures, and a missing message raises no alert.',
  remedy: 'Poll each task whose webhook does not arrive in time, or check the list regularly.',
  occasion: 'webhook',
  provoke: "Give the client's tasks a webhook URL, and apply the webhook fault `lost`.",
  sees: 'forgeries',
  check: (context) => {
    const unannounced = context.histories.flatMap((history) => {
      const lost = [...history.deliveries.values()].filter(isUndeliverable).map(({ id }) => id)
      const at = history.task?.completedAt
      return lost.length > 0 && at !== undefined && context.isSilentSince(at) ? [{ history, lost, at }] : []
    })
    return collectEvidence(unannounced, ({ history, lost, at }) => {
      const { id, task, webhookAttempts } = history
      const hasAccepted = webhookAttempts.some(({ attempt }) => isAccepted(attempt))
      if (hasAccepted || findKnownEnd(history) !== undefined || isAbandoned(history, context))
        return undefined
      if (endsWithRejection(history) || isDropped(history)) return undefined
      if (hasPendingDelivery(history)) return WEBHOOK_DUE
      const late = findLateCancel(history)
      if (late === undefined && history.cancels.length > 0) return CANCEL_FAILED
      const only = late === undefined ? '' : ', but only sent a cancel request, which came too late'
      const seen = `The task ended (${task?.status}). Its webhook was lost, and the client did not ask for the result${only}.`
      return { at, taskId: id, deliveryIds: lost, seen }
    })
  },
}
