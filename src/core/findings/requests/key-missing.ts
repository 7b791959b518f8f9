import type { AnsweredRequest } from '../../events.js'
import type { Case } from '../case.js'
import { judge, line, seenIn } from '../evidence.js'
import type { FindingRule } from '../finding.js'

/** The API key is sent with some requests and not with others. */
export const keyMissing: FindingRule = {
  id: 'key-missing',
  severity: 'error',
  title: 'The API key is missing on some requests',
  why: 'Every operation on tasks needs it, so this one never works in production.',
  remedy: 'Put the Authorization header where all requests get it, such as in one client for all operations.',
  look: (record) =>
    judge(sinceFirstKey(record), (request) =>
      request.note.hasAuthorization === false && request.status === 401 && request.fault === undefined
        ? seenIn([request], `${line(request)} had no Authorization header.`)
        : undefined,
    ),
}

/** The requests on tasks since the first that had a key: what comes before may only ask whether the service is up. */
function sinceFirstKey({ requests }: Case): readonly AnsweredRequest[] {
  const onTasks = requests.filter(({ operation }) => operation?.startsWith('tasks.'))
  const first = onTasks.findIndex(({ note }) => note.hasAuthorization === true)
  return first === -1 ? [] : onTasks.slice(first)
}
