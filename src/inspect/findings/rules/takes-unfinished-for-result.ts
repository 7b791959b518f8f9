import { collectEvidence, formatDuration, requestEvidence, requestLine } from '../evidence.js'
import type { FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { findKnownEnd, reportsEnd, type TaskHistory } from '../task-history.js'

/** Detects a client that lets the service hold the answer to a create request, and never asks for the task again. */
export const takesUnfinishedForResult: FindingRule = {
  id: 'takes-unfinished-for-result',
  severity: 'error',
  title: 'An unfinished task is taken for the result',
  why: 'A service holds an answer only for a while. The task of a late answer is still running, and it has no output yet.',
  remedy:
    'Check the status in the answer, and poll a task that has not ended. If an official client hides the status, create the task without a wait: with `background: true` (OpenAI), `fal.subscribe` (fal), `run` in place of `runsync` (RunPod), or without `Prefer: wait` (Replicate).',
  occasion: 'requests',
  provoke:
    'Use a dialect that holds answers, such as `replicate`, with a task that takes longer, such as a video in `slow-video`.',
  check: (context) => {
    const answered = context.histories.filter(
      (history) => isAnsweredUnfinished(history) && (hasWaited(history) || isLeft(history, context)),
    )
    return collectEvidence(answered, (history) => {
      const { created } = history
      if (created === undefined || !isLeft(history, context)) return undefined
      if (!hasWaited(history)) return ANSWERED_AT_ONCE
      const { request } = created
      const wait = formatDuration(request.note.wait ?? 0)
      const seen = `${requestLine(request)} was held for ${wait}. Its answer was \`${created.reported?.status}\`, and the client never asked for the task again.`
      return requestEvidence([request], seen)
    })
  },
}

const ANSWERED_AT_ONCE: Unclear = {
  reason:
    'The service answered a create request at once, and the client never asked for the task again. Whether it took this answer for the result is not visible; `result-never-learned` reports such a task.',
}

/** Whether a client did nothing more for a task after an answer that waited and came before its end. */
export function isTakenForResult(history: TaskHistory, context: FindingContext): boolean {
  return isAnsweredUnfinished(history) && hasWaited(history) && isLeft(history, context)
}

/** Whether a client did nothing more for a task after the answer to its create request. */
function isLeft(history: TaskHistory, context: FindingContext): boolean {
  const { created, last, listed } = history
  if (created === undefined) return false
  const { id, answeredAt } = created.request
  if (last?.id !== id || (listed !== undefined && listed.request.id > id)) return false
  const isTold =
    history.deliveries.size > 0 || context.awaitsWebhook(history) || context.mayHaveBeenTold(history)
  return !isTold && context.isSilentSince(answeredAt) && findKnownEnd(history) === undefined
}

function hasWaited({ created }: TaskHistory): boolean {
  return created?.request.note.wait !== undefined
}

function isAnsweredUnfinished({ created }: TaskHistory): boolean {
  return created?.reported !== undefined && !reportsEnd(created)
}
