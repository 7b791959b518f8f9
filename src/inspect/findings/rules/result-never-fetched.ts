import { collectEvidence, requestEvidence, requestLine } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { reportsEnd, type TaskHistory, type TaskRequest, wasAnnounced } from '../task-history.js'

/** Detects a client that learns that a task has ended, but not with what result. */
export const resultNeverFetched: FindingRule = {
  id: 'result-never-fetched',
  severity: 'error',
  title: 'The result of an ended task is never requested',
  why: 'The status of such a service contains no output, and may be the same for a failed task. Later the service deletes the result.',
  remedy:
    'Request the result as soon as the status is final. Treat an error in its place as the failure of the task.',
  occasion: 'requests',
  provoke: 'Use a dialect whose status has no output, such as `fal`, and let a task end.',
  check: (context) => {
    const ended = context.histories.flatMap((history) => {
      const end = context.hidesOutput(history) ? findSeenEnd(history) : undefined
      return end === undefined ? [] : [{ history, end }]
    })
    return collectEvidence(ended, ({ history, end }) => {
      if (!isNeverFetched(history, context)) return undefined
      const seen = `${requestLine(end.request)} showed that the task had ended (${history.task?.status}), but no request got its result.`
      return requestEvidence([end.request], seen)
    })
  },
}

/** Whether a client has seen the end of a task, but neither its output nor its failure. */
export function isNeverFetched(history: TaskHistory, context: FindingContext): boolean {
  const end = context.hidesOutput(history) ? findSeenEnd(history) : undefined
  if (end === undefined || !context.isSilentSince(end.request.answeredAt)) return false
  if (context.mayHaveBeenTold(history)) return false
  const { created, results } = history
  const hasResult = results.some((result) => isFinal(result, end)) || wasAnnounced(history)
  return !hasResult && (created === undefined || !reportsEnd(created))
}

/** The first poll that showed the end of a task which the client has not canceled. */
function findSeenEnd({ task, polls }: TaskHistory): TaskRequest | undefined {
  if (task?.completedAt === undefined || task.status === 'canceled') return undefined
  return polls.find((poll) => poll.reported?.isCertain && reportsEnd(poll))
}

/** Whether an answer contained the output of a task, or the error with which it has failed. */
function isFinal(result: TaskRequest, end: TaskRequest): boolean {
  const { id, status, fault, delivered } = result.request
  const isError = delivered && fault === undefined && status >= 400 && status !== 429
  return reportsEnd(result) || (isError && id > end.request.id)
}
