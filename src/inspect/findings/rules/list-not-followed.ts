import type { AnsweredRequest } from '../../../engine/events.js'
import { collectEvidence, formatTimes, requestEvidence } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { type FindingContext, groupRequests } from '../finding-context.js'

/** Detects a client that reads only the first page of lists. */
export const listNotFollowed: FindingRule = {
  id: 'list-not-followed',
  severity: 'note',
  title: 'Only the first page of a list is read',
  why: 'A page has 20 tasks by default. The client never sees the tasks on the other pages.',
  remedy: 'While `has_more` is true, request the next page with `after` set to `next_cursor`.',
  check: (context) => {
    const usedCursors = findUsedCursors(context)
    return collectEvidence(groupRequests(context.requests, listIdentity), (pages) => {
      const missed = pages.filter(
        (page) => !usedCursors.has(page.note.nextCursor ?? '') && !hasFoundTask(page, context),
      )
      const [first, ...rest] = missed
      // Skip a client that requested at least one further page, and a client that may still do so.
      if (first === undefined || missed.length < pages.length || !context.isSilentSince(first.at))
        return undefined
      return requestEvidence(
        [first, ...rest],
        `The list had further pages, and the client read only the first one (${formatTimes(missed.length)}).`,
      )
    })
  },
}

/** The client and the query of a list that has further pages; undefined for other requests. */
function listIdentity(request: AnsweredRequest): string | undefined {
  const { operation, note, status, fault, key, query } = request
  if (operation !== 'tasks.list' || note.nextCursor === undefined || status >= 300 || fault !== undefined)
    return undefined
  return `${key} ${query.replace(/&?after=[^&]*/, '')}`
}

function findUsedCursors({ requests }: FindingContext): Set<string> {
  const cursors = new Set<string>()
  for (const { operation, query } of requests) {
    const after = operation === 'tasks.list' ? new URLSearchParams(query).get('after') : null
    if (after !== null) cursors.add(after)
  }
  return cursors
}

/** Whether a later request is about a task on the page, so that the client needs no further page. */
function hasFoundTask({ id, note }: AnsweredRequest, { historyOf }: FindingContext): boolean {
  return (note.observed ?? []).some((task) => {
    const { polls = [], cancels = [], downloads = [] } = historyOf(task.id) ?? {}
    const last = [polls.at(-1)?.request, cancels.at(-1)?.request, downloads.at(-1)]
    return last.some((request) => request !== undefined && request.id > id)
  })
}
