import type { AnsweredRequest } from '../../../engine/events.js'
import type { Case } from '../case.js'
import { judge, line, seconds, seenIn } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { follows } from '../story.js'

/** A request is sent again before the time that the service has asked for. */
export const ignoresRetryAfter: FindingRule = {
  id: 'ignores-retry-after',
  severity: 'warning',
  title: 'Retry-After is ignored',
  why: 'A service that asks for a pause will refuse again, and may lock out a key that does not listen.',
  remedy: 'Wait as long as Retry-After says, in seconds or until a date, before the next try.',
  look: (record) =>
    judge(toldToWait(record), ([request, next]) => {
      const gap = next && record.span(request.at, next.at)
      const wait = request.retryAfter ?? 0
      if (next === undefined || gap === undefined || gap >= wait * (1 - record.thresholds.tolerance))
        return undefined
      const seen = `${line(request)} was to wait ${seconds(wait)}, and came again after ${seconds(gap)}.`
      return seenIn([request, next], seen)
    }),
}

/** Each request that was told to wait, and the next one that is the same. */
function* toldToWait(record: Case): Iterable<[AnsweredRequest, AnsweredRequest | undefined]> {
  for (const group of record.refused) {
    for (const [index, request] of group.entries()) {
      if (request.retryAfter === undefined || request.status < 400 || !request.delivered) continue
      yield [request, nextOf(request, group, index + 1)]
    }
  }
}

/** The first one from a place on that was sent when the request had been answered; mostly the very next. */
function nextOf(
  request: AnsweredRequest,
  group: readonly AnsweredRequest[],
  from: number,
): AnsweredRequest | undefined {
  for (let place = from; place < group.length; place++) {
    const next = group[place]
    if (next !== undefined && follows(next, request)) return next
  }
  return undefined
}
