import type { AnsweredRequest } from '../../engine/events.js'

/** Requests on tasks that are the same in every respect, in the order in which they came. */
export type Identical = readonly [AnsweredRequest, ...AnsweredRequest[]]

/** Groups the requests on tasks that were refused with all that are the same as they. */
export function refusedAndAlike(requests: readonly AnsweredRequest[]): readonly Identical[] {
  const refused = new Set<string>()
  for (const { status, path } of requests) if (status >= 400) refused.add(path)
  const groups = new Map<string, [AnsweredRequest, ...AnsweredRequest[]]>()
  for (const request of requests) {
    const { key, method, path, query, operation, note } = request
    // Most requests are not refused, and telling them apart costs more than all rules together.
    if (!refused.has(path) || !operation?.startsWith('tasks.')) continue
    const identity = `${key} ${method} ${path}?${query} ${note.bodyHash ?? ''}`
    const group = groups.get(identity)
    if (group === undefined) groups.set(identity, [request])
    else group.push(request)
  }
  return [...groups.values()].filter((group) => group.some(({ status }) => status >= 400))
}
