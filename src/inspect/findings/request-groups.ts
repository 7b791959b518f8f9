import type { AnsweredRequest } from '../../engine/requests/answered-request.js'

/** At least one request, in order of arrival. */
export type RequestGroup = readonly [AnsweredRequest, ...AnsweredRequest[]]

/** Groups requests by an identity; omits those whose identity is undefined. */
export function groupRequests(
  requests: readonly AnsweredRequest[],
  identityOf: (request: AnsweredRequest) => string | undefined,
): RequestGroup[] {
  const groups = new Map<string, [AnsweredRequest, ...AnsweredRequest[]]>()
  for (const request of requests) {
    const identity = identityOf(request)
    if (identity === undefined) continue
    const group = groups.get(identity)
    if (group === undefined) groups.set(identity, [request])
    else group.push(request)
  }
  return [...groups.values()]
}

/** Groups identical requests on tasks; omits groups without a rejected request. */
export function groupRejected(requests: readonly AnsweredRequest[]): readonly RequestGroup[] {
  const rejectedPaths = new Set<string>()
  for (const { status, path } of requests) if (status >= 400) rejectedPaths.add(path)
  const groups = groupRequests(requests, ({ key, method, path, query, operation, note }) =>
    // Skip other paths: building an identity for every request would cost more than all rules together.
    rejectedPaths.has(path) && operation?.startsWith('tasks.')
      ? `${key} ${method} ${path}?${query} ${note.bodyHash ?? ''}`
      : undefined,
  )
  return groups.filter((group) => group.some(({ status }) => status >= 400))
}

/** Sorts requests in order of arrival, in which their ids are assigned. */
export function byArrival(a: AnsweredRequest, b: AnsweredRequest): number {
  return a.id < b.id ? -1 : 1
}

/** Identifies a file: its URL changes with each signature, and a query may select one of several files. */
export function fileOf({ taskId, path, query, note }: AnsweredRequest): string {
  return `${taskId} ${note.file ?? indexIn(path, query)}`
}

/** The index of a file whose request was not carried out, such as of `/files/TASK/1.png`; 0 if the URL has none. */
function indexIn(path: string, query: string): number {
  const index = new URLSearchParams(query).get('index') ?? path.slice(path.lastIndexOf('/') + 1)
  return Number.parseInt(index, 10) || 0
}
