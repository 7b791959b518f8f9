import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { collectEvidence, formatDuration, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { fileOf, groupRequests, type RequestGroup } from '../request-groups.js'
import { answerOf, isSentAfterAnswer } from '../task-history.js'

/** Detects a request that is sent again before its Retry-After has passed. */
export const ignoresRetryAfter: FindingRule = {
  id: 'ignores-retry-after',
  severity: 'warning',
  title: 'Retry-After is ignored',
  why: 'The service rejects early retries, and it may block a key that keeps sending them.',
  remedy: 'Before the next attempt, wait as long as Retry-After says: a number of seconds, or until a date.',
  occasion: 'scenario',
  provoke:
    'Run the scenario `rate-limited` with more than ten create requests in a minute, or apply the fault `{ status: 429, retry_after: 10s }`, which a file host answers with `operation: files.download`.',
  check: (context) =>
    collectEvidence(
      [...context.rejectedGroups, ...groupRequests(context.downloads, downloadOf)].flatMap((group) =>
        delayedRequests(group, context),
      ),
      (delayed) => judge(delayed, context),
    ),
}

/** Equal for requests of a client for the same file, whose URL may be a fresh one. */
function downloadOf(request: AnsweredRequest): string {
  return `${request.key} ${request.method} ${fileOf(request)}`
}

/** A rejected request with a Retry-After. */
interface Delayed {
  readonly request: AnsweredRequest
  /** The next identical request; undefined if there was none. */
  readonly next: AnsweredRequest | undefined
  /** Whether an identical request waited long enough to be the retry of this one, and of no other. */
  readonly isRetriedInTime: boolean
  /** Whether so few identical requests came early that independent parts of the client may have sent them. */
  readonly mayBeIndependent: boolean
}

/** Lists are read by independent parts of a client, which send identical requests at the same time. */
const MOST_INDEPENDENT = 2

const INDEPENDENT: Unclear = {
  reason:
    'Several identical lists were requested at the same time. If independent parts of the client sent them, each has waited as told.',
}

function delayedRequests(group: RequestGroup, context: FindingContext): Delayed[] {
  const rejected = group.filter(isDelayed)
  const retried = new Set<AnsweredRequest>()
  const used = new Set<AnsweredRequest>()
  for (const request of [...rejected].sort((a, b) => dueAt(a) - dueAt(b))) {
    const retry = group.find(
      (later) =>
        !used.has(later) && isSentAfterAnswer(later, request) && isEarly(request, later, context) !== true,
    )
    if (retry === undefined) continue
    used.add(retry)
    retried.add(request)
  }
  const early = rejected.length - retried.size
  return rejected.map((request) => ({
    request,
    next: group.find((later) => isSentAfterAnswer(later, request)),
    // The polls of a task come from one loop, but several parts of a client may show the same file.
    isRetriedInTime: (request.taskId === undefined || isDownload(request)) && retried.has(request),
    mayBeIndependent: request.operation === 'tasks.list' && early <= MOST_INDEPENDENT,
  }))
}

/** Whether a request came before the Retry-After of an earlier one had passed. Undefined if it is unclear. */
function isEarly(
  request: AnsweredRequest,
  later: AnsweredRequest,
  { waits, thresholds }: FindingContext,
): boolean | undefined {
  const wait = (request.retryAfter ?? 0) * (1 - thresholds.tolerance)
  return (wait > 0 && waits.isAtOnce(request, later)) || waits.isShorter(answerOf(request), later, wait)
}

function isDownload({ operation }: AnsweredRequest): boolean {
  return operation === 'files.download'
}

function isDelayed({ retryAfter, status, delivered }: AnsweredRequest): boolean {
  return retryAfter !== undefined && status >= 400 && delivered
}

function dueAt({ answeredAt, retryAfter = 0 }: AnsweredRequest): number {
  return answeredAt + retryAfter
}

function judge(
  { request, next, isRetriedInTime, mayBeIndependent }: Delayed,
  context: FindingContext,
): Evidence | Unclear | undefined {
  const wait = request.retryAfter ?? 0
  if (next === undefined) return undefined
  const isTooEarly = isEarly(request, next, context)
  if (isTooEarly === undefined) return context.waits
  if (!isTooEarly || isRetriedInTime) return undefined
  if (mayBeIndependent) return INDEPENDENT
  return requestEvidence(
    [request, next],
    `${requestLine(request)} was rejected with a Retry-After of ${formatDuration(wait)}, and the client retried after ${formatDuration(next.at - request.answeredAt)}.`,
  )
}
