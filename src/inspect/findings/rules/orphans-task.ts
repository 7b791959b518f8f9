import { collectEvidence, formatDuration, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import { type FindingContext, isFindable } from '../finding-context.js'
import { isBilled, showsId, type TaskHistory, wasAnnounced } from '../task-history.js'
import { findRetry } from './pays-twice.js'

/** Detects a task that nobody asks for, because the client did not get the answer to its create request. */
export const orphansTask: FindingRule = {
  id: 'orphans-task',
  severity: 'error',
  title: 'A task is orphaned after a lost answer',
  why: 'The service carried out the create request and lost only its answer. The task is billed, and nobody collects its result.',
  remedy:
    'If a create request ends without an answer, look for the task in the list of the service, or wait for its webhook, before you report a failure.',
  occasion: 'scenario',
  provoke:
    'Run the scenario `lost-create-response` or `unanswered-create`. If the client gets webhooks, lose them: apply the webhook fault `lost`.',
  check: (context) =>
    collectEvidence(
      context.histories.filter(
        (history) => history.created !== undefined && !showsId(history.created) && isBilled(history),
      ),
      (history) => judge(history, context),
    ),
}

const NOT_FINDABLE: Unclear = {
  reason:
    'Nothing shows the client a task whose create answer was lost: no list of the service has it, and no webhook reports it. Report the failure, do not send the request again by itself, and compare the bill with your records. To find such tasks, create them in the background, and register a webhook, if the service has these.',
}
const STILL_RUNNING: Unclear = {
  reason:
    'A task whose create answer was lost is still running, so its webhook may still arrive. Let it end.',
}

const ONLY_ANNOUNCED: Unclear = {
  reason:
    'A receiver has accepted the webhook of a task whose create answer was lost. Nothing shows whether the client used it. Lose the webhook: apply the webhook fault `lost`, too.',
}

function judge(history: TaskHistory, context: FindingContext): Evidence | Unclear | undefined {
  const { created, task } = history
  if (created === undefined || task === undefined || isKnown(history, context)) return undefined
  if (wasAnnounced(history)) return ONLY_ANNOUNCED
  const { request } = created
  // Another rule reports the second task.
  if (!context.isSilentSince(request.answeredAt) || findRetry(history, context) !== undefined)
    return undefined
  if (!isFindable(context.waysToFind(history))) return NOT_FINDABLE
  if (context.awaitsWebhook(history)) return STILL_RUNNING
  return requestEvidence(
    [request],
    `${requestLine(request)} created ${task.id}, but ${describeAnswer(history)}. Nobody has asked for the task.`,
  )
}

/** Whether the client has learned about the task in any other way. */
function isKnown(history: TaskHistory, context: FindingContext): boolean {
  const { polls, cancels, results, downloads, listed } = history
  if (polls.length + cancels.length + results.length + downloads.length > 0 || listed !== undefined)
    return true
  return context.mayHaveBeenTold(history)
}

function describeAnswer({ created }: TaskHistory): string {
  const { status = 0, delivered = false, answeredAt = 0, at = 0 } = created?.request ?? {}
  if (!delivered || status === 0) {
    const after = answeredAt - at >= 1_000 ? ` after ${formatDuration(answeredAt - at)}` : ''
    return `the client had no complete answer${after}`
  }
  return status < 300 ? 'the client could not read the answer' : `the answer was ${status}`
}
