import { collectEvidence, formatDuration, requestEvidence, requestLine } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { findKnownEnd, reportsEnd, type TaskHistory } from '../task-history.js'

/** Detects a client that lets the service hold the answer to a create request, and never asks for the task again. */
export const takesUnfinishedForResult: FindingRule = {
  id: 'takes-unfinished-for-result',
  severity: 'error',
  title: 'An unfinished task is taken for the result',
  why: 'A service holds an answer only for a while. The task of a late answer is still running, and it has no output yet.',
  remedy:
    'If a request waits for the end of a task, check the status in the answer. If the task has not ended, poll it.',
  provoke:
    'Use a dialect that holds answers, such as `replicate`, with a task that takes longer, as in `slow-video`.',
  check: (context) =>
    collectEvidence(context.histories.filter(isAnsweredUnfinished), (history) => {
      const { created } = history
      if (created === undefined || !isTakenForResult(history, context)) return undefined
      const { request } = created
      const held = formatDuration(request.note.held ?? 0)
      const seen = `${requestLine(request)} was held for ${held}. Its answer was \`${created.reported?.status}\`, and the client never asked for the task again.`
      return requestEvidence([request], seen)
    }),
}

/** Whether a client did nothing more for a task after a held answer that came before its end. */
export function isTakenForResult(history: TaskHistory, context: FindingContext): boolean {
  const { created, last, listed } = history
  if (created === undefined || !isAnsweredUnfinished(history)) return false
  const { id, answeredAt } = created.request
  if (last?.id !== id || (listed !== undefined && listed.request.id > id)) return false
  const isTold =
    history.deliveries.size > 0 || context.awaitsWebhook(history) || context.mayHaveBeenTold(history)
  return !isTold && context.isSilentSince(answeredAt) && findKnownEnd(history) === undefined
}

function isAnsweredUnfinished({ created }: TaskHistory): boolean {
  return created?.request.note.held !== undefined && created.reported !== undefined && !reportsEnd(created)
}
