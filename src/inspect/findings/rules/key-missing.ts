import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { collectEvidence, requestEvidence, requestLine } from '../evidence.js'
import type { FindingRule } from '../finding.js'

/** Some services answer 403. */
const REFUSED = [401, 403]

/** Detects a request on tasks, or for a file that needs the key, without an API key. */
export const keyMissing: FindingRule = {
  id: 'key-missing',
  severity: 'error',
  title: 'Requests are sent without the API key',
  why: 'Every operation on tasks requires the key, and so does a file without a signed URL. This request always fails in production.',
  remedy: 'Set the API key in one place for all requests, such as in a shared client.',
  occasion: 'requests',
  provoke: 'Let the client send a request about a task.',
  check: ({ requests, downloads }) =>
    collectEvidence(requests.filter(requiresKey), (request) =>
      !hasKey(request) &&
      (REFUSED.includes(request.status) || isWithoutKey(request.note)) &&
      request.fault === undefined &&
      !isRepeatedWithKey(request, downloads)
        ? requestEvidence([request], `${requestLine(request)} had no API key.`)
        : undefined,
    ),
}

/** Excludes a list without a key, which is a common health check. */
function requiresKey(request: AnsweredRequest): boolean {
  const { operation, status, note } = request
  // A signed URL needs no key, and is refused with 403 for other reasons.
  if (operation === 'files.download') return status === 401 || isWithoutKey(note)
  return operation?.startsWith('tasks.') === true && (operation !== 'tasks.list' || hasKey(request))
}

/** Whether a client tried a download without the key at first, as it does for a signed URL. */
function isRepeatedWithKey({ id, path }: AnsweredRequest, downloads: readonly AnsweredRequest[]): boolean {
  return downloads.some(
    (other) => other.id > id && other.path === path && other.status < 400 && hasKey(other),
  )
}

/** Whether a request was rejected because it had no key. */
export function isWithoutKey({ cause }: AnsweredRequest['note']): boolean {
  return cause !== undefined && 'cause' in cause && cause.cause === 'missing_key'
}

function hasKey({ note }: AnsweredRequest): boolean {
  return note.hasAuthorization !== false
}
