import type { AnsweredRequest } from '../../../engine/events.js'
import type { Case } from '../case.js'
import { judge, line, seconds, seenIn } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import { downloadsIn } from './downloads.js'

/** A file is asked for when its URL has expired, and not got with a fresh one either. */
export const fetchedAfterExpiry: FindingRule = {
  id: 'fetched-after-expiry',
  severity: 'error',
  title: 'A file is fetched after its URL has expired',
  why: 'Output URLs are valid for hours. Whoever keeps the URL in place of the file has nothing left the day after.',
  remedy:
    'Download outputs as soon as the task has succeeded and keep the file; retrieve the task for a fresh URL.',
  look: (record) => judge(downloadsIn(record), (request) => tooLate(request, record)),
}

function tooLate(request: AnsweredRequest, { stories }: Case): Evidence | undefined {
  const { status, fault, at, query, path, id } = request
  if (fault !== undefined) return undefined
  const expires = Number(new URLSearchParams(query).get('expires')) * 1_000
  const isExpired = status === 403 && expires > 0 && expires <= at
  if (!isExpired && status !== 410) return undefined
  const later = stories.get(request.taskId ?? '')?.downloads ?? []
  if (later.some((other) => other.id > id && other.path === path && other.status < 300)) return undefined
  const when = isExpired ? `${seconds(at - expires)} after its URL had expired` : 'when it was no longer kept'
  return seenIn([request], `${line(request)} came ${when}.`)
}
