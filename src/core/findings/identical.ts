import type { AnsweredRequest } from '../events.js'
import type { Case } from './case.js'

/** The requests on tasks that are the same in every respect, each group in the order in which they came. */
export function identicalRequests({ requests }: Case): Iterable<[AnsweredRequest, ...AnsweredRequest[]]> {
  const groups = new Map<string, [AnsweredRequest, ...AnsweredRequest[]]>()
  for (const request of requests) {
    const { key, method, path, query, operation, note } = request
    if (!operation?.startsWith('tasks.')) continue
    const identity = `${key} ${method} ${path}?${query} ${note.bodyHash ?? ''}`
    const group = groups.get(identity)
    if (group === undefined) groups.set(identity, [request])
    else group.push(request)
  }
  return groups.values()
}
