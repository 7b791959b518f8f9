import type { AnsweredRequest } from '../../../engine/events.js'
import { collectEvidence, formatDuration, requestEvidence, requestLine } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import type { RequestGroup } from '../request-groups.js'
import { isSentAfterAnswer } from '../task-history.js'

/** Detects a request that is sent again before its Retry-After has passed. */
export const ignoresRetryAfter: FindingRule = {
  id: 'ignores-retry-after',
  severity: 'warning',
  title: 'Retry-After is ignored',
  why: 'The service rejects early retries, and it may block a key that keeps sending them.',
  remedy: 'Before the next attempt, wait as long as Retry-After says: a number of seconds, or until a date.',
  provoke:
    'Run the scenario `rate-limited` or `outage`, or apply the fault `{ status: 429, retry_after: 10s }`.',
  check: (context) =>
    collectEvidence(delayedRequests(context), ([request, next]) => {
      const gap = next && context.elapsed(request.at, next.at)
      const wait = request.retryAfter ?? 0
      if (next === undefined || gap === undefined || gap >= wait * (1 - context.thresholds.tolerance))
        return undefined
      return requestEvidence(
        [request, next],
        `${requestLine(request)} was rejected with a Retry-After of ${formatDuration(wait)}, and the client retried after ${formatDuration(gap)}.`,
      )
    }),
}

/** Each rejected request with a Retry-After, and the next identical one. */
function* delayedRequests({
  rejectedGroups,
}: FindingContext): Iterable<[AnsweredRequest, AnsweredRequest | undefined]> {
  for (const group of rejectedGroups) {
    for (const [index, request] of group.entries()) {
      if (request.retryAfter === undefined || request.status < 400 || !request.delivered) continue
      yield [request, findRetry(request, group, index + 1)]
    }
  }
}

/** Avoids a copy of the group, because the next request is usually the retry. */
function findRetry(request: AnsweredRequest, group: RequestGroup, from: number): AnsweredRequest | undefined {
  for (let index = from; index < group.length; index++) {
    const next = group[index]
    if (next !== undefined && isSentAfterAnswer(next, request)) return next
  }
  return undefined
}
