import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { collectEvidence, formatTimes, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { groupRequests, type RequestGroup } from '../request-groups.js'
import { isRejected, isSentAfterAnswer } from '../task-history.js'

/** Detects a permanently rejected request that is sent again unchanged. */
export const retriesRejected: FindingRule = {
  id: 'retries-rejected',
  severity: 'warning',
  title: 'A rejected request is sent again unchanged',
  why: 'A 4xx is about the request itself. The service rejects the same request again, and the retries hide the error.',
  remedy: 'Retry only on 408, 429, 5xx and lost connections. Report every other 4xx immediately.',
  occasion: 'scenario',
  provoke:
    'Run the scenario `out-of-credits`, whose credits pay for three images: let more end, one after another. Or let the client send an invalid request.',
  check: (context) => collectEvidence(permanentRejections(context), (group) => findRetries(group, context)),
}

/** Each group of identical requests, from the first permanent rejection on. */
function* permanentRejections({ rejectedGroups, downloads }: FindingContext): Iterable<RequestGroup> {
  const ofFiles = groupRequests(
    downloads,
    ({ key, method, path, query }) => `${key} ${method} ${path}?${query}`,
  )
  for (const group of [...rejectedGroups, ...ofFiles]) {
    const index = group.findIndex(isPermanentRejection)
    const first = group[index]
    if (first !== undefined) yield [first, ...group.slice(index + 1)]
  }
}

function isPermanentRejection(request: AnsweredRequest): boolean {
  const { status, fault, note, operation } = request
  // A fault may make a new task temporarily unknown, and another rule checks for a missing key, which files do not need.
  const needsKey = operation !== 'files.download' || status === 401
  if ((needsKey && note.hasAuthorization === false) || (status === 404 && fault !== undefined)) return false
  return isRejected(request)
}

function findRetries(
  [first, ...rest]: RequestGroup,
  context: FindingContext,
): Evidence | Unclear | undefined {
  const { thresholds, waits } = context
  const retries: AnsweredRequest[] = []
  let isSoon = false
  let isUnclear = false
  let previous = first
  for (const request of rest) {
    if (!isPermanentRejection(previous)) break
    const isLater = waits.isLonger(previous, request, thresholds.retry_within)
    if (isSentAfterAnswer(request, previous) && !isRenewed(previous, request, context)) {
      retries.push(request)
      isSoon ||= isLater === false
      isUnclear ||= isLater === undefined
    }
    previous = request
  }
  if (!isSoon) return isUnclear ? waits : undefined
  return requestEvidence(
    [first, ...retries],
    `${requestLine(first)} was answered with ${first.status}, and the client sent it ${formatTimes(retries.length)} more.`,
  )
}

/**
 * Whether the client has read the task of a file between two downloads: services then give a fresh URL, which may be
 * equal.
 */
function isRenewed(
  { id, operation, taskId }: AnsweredRequest,
  later: AnsweredRequest,
  { historyOf }: FindingContext,
): boolean {
  if (operation !== 'files.download') return false
  const { polls = [], results = [] } = historyOf(taskId) ?? {}
  return [...polls, ...results].some(({ request }) => request.id > id && request.id < later.id)
}
