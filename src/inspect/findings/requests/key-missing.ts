import type { AnsweredRequest } from '../../../engine/events.js'
import type { Case } from '../case.js'
import { judge, line, seenIn } from '../evidence.js'
import type { FindingRule } from '../finding.js'

/** A request on tasks has no API key. */
export const keyMissing: FindingRule = {
  id: 'key-missing',
  severity: 'error',
  title: 'Requests are sent without the API key',
  why: 'Every operation on tasks needs it, so this one never works in production.',
  remedy: 'Put the Authorization header where all requests get it, such as in one client for all operations.',
  look: (record) =>
    judge(requestsOnTasks(record), (request) =>
      isWithoutKey(request) && request.status === 401 && request.fault === undefined
        ? seenIn([request], `${line(request)} had no Authorization header.`)
        : undefined,
    ),
}

/** The requests on tasks. A list without a key does not count: it is a common way to ask whether the service is up. */
function requestsOnTasks({ requests }: Case): readonly AnsweredRequest[] {
  return requests.filter(
    (request) =>
      request.operation?.startsWith('tasks.') &&
      !(request.operation === 'tasks.list' && isWithoutKey(request)),
  )
}

function isWithoutKey({ note }: AnsweredRequest): boolean {
  return note.hasAuthorization === false
}
