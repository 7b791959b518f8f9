import type { Task } from '../../../engine/tasks/task.js'
import { collectEvidence } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import {
  endsWithRejection,
  findKnownEnd,
  hasPendingDelivery,
  isAccepted,
  isGenuine,
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
    'Poll each task until it ends, or accept its webhook. After a restart, resume polling of unfinished tasks.',
  provoke: 'Let the client create a task, as in the scenario `default`.',
  check: (context) =>
    collectEvidence(context.histories.filter(isKnownToClient), (history) => judge(history, context)),
}

/** If a test created the task without a request, only later requests show that the client knows the task. */
function isKnownToClient({ task, created, polls, cancels, results, listed }: TaskHistory): boolean {
  if (task === undefined) return false
  if (created !== undefined && showsId(created)) return true
  return polls.length + cancels.length + results.length > 0 || listed !== undefined
}

const STILL_RUNNING: Unclear = {
  reason:
    'A task was still running at the end, so it is not known whether the client would have learned its result. Let all tasks end.',
}

function judge(history: TaskHistory, context: FindingContext): Evidence | Unclear | undefined {
  const { task } = history
  if (task === undefined || isExcused(history, context)) return undefined
  if (context.isOver && isForgotten(history, context)) return describeForgotten(task)
  if (task.completedAt === undefined) return task.plan.outcome === 'stuck' ? undefined : STILL_RUNNING
  const seen = `The task ended (${task.status}), but no poll, list or accepted webhook reported this to the client.`
  return { at: task.completedAt, taskId: task.id, seen }
}

/** Whether a client has done nothing for a running task, and no webhook may report its end. */
function isForgotten(history: TaskHistory, context: FindingContext): boolean {
  const { task, polls, results, listed } = history
  if (task?.completedAt !== undefined || context.awaitsWebhook(history)) return false
  return polls.length + results.length === 0 && listed === undefined
}

function describeForgotten({ id, createdAt }: Task): Evidence {
  const seen =
    'The client never asked for the task, and registered no webhook. The task was still running at the end. If the client would have asked later, end the test later, or evaluate it with `final: false`.'
  return { at: createdAt, taskId: id, seen }
}

function isExcused(history: TaskHistory, context: FindingContext): boolean {
  const { task, polls, cancels, deliveries, webhookAttempts } = history
  const last = Math.max(task?.completedAt ?? task?.createdAt ?? 0, polls.at(-1)?.request.answeredAt ?? 0)
  if (!context.isSilentSince(last) || findKnownEnd(history) !== undefined) return true
  // The client does not want the result, or has an answer that it must report.
  if (cancels.length > 0 || endsWithRejection(history) || context.mayHaveBeenTold(history)) return true
  // More specific rules report these cases.
  const acceptedForgery = webhookAttempts.some(({ attempt }) => isAccepted(attempt) && !isGenuine(attempt))
  if (acceptedForgery || isAbandoned(history, context) || isTakenForResult(history, context)) return true
  if (findRetry(history, context) !== undefined) return true
  return [...deliveries.values()].some(isUndeliverable) || hasPendingDelivery(history)
}
