import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { collectEvidence, formatTimes, requestEvidence } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { groupRequests } from '../request-groups.js'

/** Detects a client that reads only the first page of lists. */
export const listNotFollowed: FindingRule = {
  id: 'list-not-followed',
  severity: 'note',
  title: 'Only the first page of a list is read',
  why: 'A page has only some of the tasks. The client never sees the tasks on the other pages.',
  remedy:
    'Request further pages until the answer says that there are no more: by its cursor, by its URL of the next page, or by an offset.',
  occasion: 'requests',
  provoke: 'Let the client list more tasks than a page has.',
  check: (context) => {
    const pages = context.requests.filter(hasNextPage)
    const cursors = new Set(pages.map(({ note }) => note.nextCursor))
    const isFollowed = followers(context)
    const lists = groupRequests(pages, ({ key, path, query }) => `${key} ${path} ${without(query, cursors)}`)
    return collectEvidence(lists, (group) => {
      const missed = group.filter((page) => !isFollowed(page) && !hasFoundTask(page, context))
      const [first, ...rest] = missed
      // Skip a client that requested at least one further page, and a client that may still do so.
      if (first === undefined || missed.length < group.length || !context.isSilentSince(first.at))
        return undefined
      return requestEvidence(
        [first, ...rest],
        `The list had further pages, and the client read only the first one (${formatTimes(missed.length)}).`,
      )
    })
  },
}

function hasNextPage({ operation, note, status, fault }: AnsweredRequest): boolean {
  return operation === 'tasks.list' && note.nextCursor !== undefined && status < 300 && fault === undefined
}

/** A query without the parameters that request a further page. */
function without(query: string, cursors: ReadonlySet<string | undefined>): string {
  const others = [...new URLSearchParams(query)].filter(([, value]) => !cursors.has(value))
  return new URLSearchParams(others).toString()
}

/** Returns a function that tells whether a later request has the cursor of a page in its query. */
function followers({ requests }: FindingContext): (page: AnsweredRequest) => boolean {
  const queries = new Map<string, Map<string, string>>()
  for (const { operation, query, id } of requests) {
    if (operation !== 'tasks.list') continue
    for (const value of new URLSearchParams(query).values()) {
      const lastIds = queries.get(value) ?? new Map<string, string>()
      queries.set(value, lastIds.set(query, id))
    }
  }
  return ({ note, id, query }) => {
    // A page size may have the same value as the cursor.
    for (const [other, lastId] of queries.get(note.nextCursor ?? '') ?? [])
      if (other !== query && lastId > id) return true
    return false
  }
}

/** Whether a later request is about a task on the page, so that the client needs no further page. */
function hasFoundTask({ id, note }: AnsweredRequest, { historyOf }: FindingContext): boolean {
  return (note.observed ?? []).some((task) => {
    const { polls = [], cancels = [], results = [], downloads = [] } = historyOf(task.id) ?? {}
    const last = [polls.at(-1)?.request, cancels.at(-1)?.request, results.at(-1)?.request, downloads.at(-1)]
    return last.some((request) => request !== undefined && request.id > id)
  })
}
