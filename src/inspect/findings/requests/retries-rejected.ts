import type { AnsweredRequest } from '../../../engine/events.js'
import type { Case } from '../case.js'
import { judge, line, seenIn, times } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import { follows } from '../story.js'

/** What the same request will be answered with again. */
const FINAL = [400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422]

/** A request that was refused for good is sent again as it is. */
export const retriesRejected: FindingRule = {
  id: 'retries-rejected',
  severity: 'warning',
  title: 'A refused request is sent again unchanged',
  why: 'A 4xx is about the request itself. The same one is refused again, while the real error stays hidden.',
  remedy: 'Retry on 408, 429, 5xx and lost connections only; report every other 4xx at once.',
  look: (record) => judge(refused(record), ([first, ...rest]) => repeated(first, rest, record)),
}

function* refused(record: Case): Iterable<[AnsweredRequest, ...AnsweredRequest[]]> {
  for (const group of record.refused) {
    const index = group.findIndex(isFinal)
    const first = group[index]
    if (first !== undefined) yield [first, ...group.slice(index + 1)]
  }
}

function isFinal({ status, fault, delivered, note }: AnsweredRequest): boolean {
  // A new task may be unknown for a moment where a fault says so; and a missing key has a rule of its own.
  if (!delivered || note.hasAuthorization === false || (status === 404 && fault !== undefined)) return false
  return FINAL.includes(status)
}

function repeated(first: AnsweredRequest, rest: AnsweredRequest[], record: Case): Evidence | undefined {
  const again: AnsweredRequest[] = []
  let before = first
  for (const request of rest) {
    if (!isFinal(before)) break
    if (follows(request, before) && request.at - before.at <= record.thresholds.retry_within)
      again.push(request)
    before = request
  }
  if (again.length === 0) return undefined
  return seenIn(
    [first, ...again],
    `${line(first)} was answered with ${first.status}, and sent ${times(again.length)} more.`,
  )
}
