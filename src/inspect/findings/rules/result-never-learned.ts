import { collectEvidence } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import {
  findKnownEnd,
  hasPendingDelivery,
  isAccepted,
  isAnswerLost,
  isGenuine,
  isUndeliverable,
  type TaskHistory,
} from '../task-history.js'
import { isAbandoned } from './gives-up-after-failed-poll.js'
import { isTakenForResult } from './takes-unfinished-for-result.js'

/** Detects a task whose end was never reported to the client. */
export const resultNeverLearned: FindingRule = {
  id: 'result-never-learned',
  severity: 'error',
  title: 'The client never learns the result of a task',
  why: 'A task that succeeded is billed, but the client does not have its output. Later the service deletes it.',
  remedy:
    'Poll each task until it ends, or accept its webhook. After a restart, resume polling of unfinished tasks.',
  provoke: 'Let a task of the client end during the run, as in the scenario `default`.',
  check: (context) => {
    const ended = context.histories.filter(
      (history) => history.task?.completedAt !== undefined && isKnownToClient(history),
    )
    return collectEvidence(ended, (history) => {
      const { task } = history
      if (task?.completedAt === undefined || !isForgotten(history, context)) return undefined
      const seen = `The task ended (${task.status}), but no poll, list or accepted webhook reported this to the client.`
      return { at: task.completedAt, taskId: task.id, seen }
    })
  },
}

/** If a test created the task without a request, only later requests show that the client knows the task. */
function isKnownToClient({ created, polls, cancels, results, listed }: TaskHistory): boolean {
  if (created !== undefined) return !isAnswerLost(created)
  return polls.length + cancels.length + results.length > 0 || listed !== undefined
}

function isForgotten(history: TaskHistory, context: FindingContext): boolean {
  const { task, polls, deliveries, webhookAttempts } = history
  const last = Math.max(task?.completedAt ?? 0, polls.at(-1)?.request.answeredAt ?? 0)
  if (!context.isSilentSince(last) || findKnownEnd(history) !== undefined) return false
  if (context.mayHaveBeenTold(history)) return false
  // More specific rules report these cases.
  const acceptedForgery = webhookAttempts.some(({ attempt }) => isAccepted(attempt) && !isGenuine(attempt))
  if (acceptedForgery || isAbandoned(history, context) || isTakenForResult(history, context)) return false
  return ![...deliveries.values()].some(isUndeliverable) && !hasPendingDelivery(history)
}
