import type { AnsweredRequest } from '../../../engine/events.js'
import { collectEvidence, requestEvidence, requestLine } from '../evidence.js'
import type { FindingRule } from '../finding.js'

/** Detects a request on tasks without an API key. */
export const keyMissing: FindingRule = {
  id: 'key-missing',
  severity: 'error',
  title: 'Requests are sent without the API key',
  why: 'Every operation on tasks requires the key, so this request always fails in production.',
  remedy: 'Set the API key in one place for all requests, such as in a shared client.',
  check: ({ requests }) =>
    collectEvidence(requests.filter(requiresKey), (request) =>
      !hasKey(request) && request.status === 401 && request.fault === undefined
        ? requestEvidence([request], `${requestLine(request)} had no API key.`)
        : undefined,
    ),
}

/** Excludes a list without a key, which is a common health check. */
function requiresKey(request: AnsweredRequest): boolean {
  const { operation } = request
  return operation?.startsWith('tasks.') === true && (operation !== 'tasks.list' || hasKey(request))
}

function hasKey({ note }: AnsweredRequest): boolean {
  return note.hasAuthorization !== false
}
