import type { AnsweredRequest } from '../../../engine/events.js'
import type { Case } from '../case.js'
import { judge, seenIn, times } from '../evidence.js'
import type { FindingRule } from '../finding.js'

/** A list goes on, and its reader does not. */
export const listNotFollowed: FindingRule = {
  id: 'list-not-followed',
  severity: 'note',
  title: 'A list is read without following its cursor',
  why: 'A page holds 20 tasks unless it is told otherwise: with the twenty-first, some are never seen.',
  remedy: 'While `has_more` is true, ask again with `after` set to `next_cursor`.',
  look: (record) => {
    const followed = cursorsUsed(record)
    return judge(firstPages(record), (pages) => {
      const missed = pages.filter(
        (page) => !followed.has(page.note.nextCursor ?? '') && !hasFoundOne(page, record),
      )
      const [first, ...rest] = missed
      // Who has read on once knows how; what was read last may still be read on.
      if (first === undefined || missed.length < pages.length || !record.isQuietSince(first.at))
        return undefined
      return seenIn(
        [first, ...rest],
        `The list went on, and only its beginning was read (${times(missed.length)}).`,
      )
    })
  },
}

/** The lists that went on, by who asked and what for. */
function firstPages({ requests }: Case): Iterable<AnsweredRequest[]> {
  const groups = new Map<string, AnsweredRequest[]>()
  for (const request of requests) {
    const { operation, note, status, fault, key, query } = request
    if (operation !== 'tasks.list' || note.nextCursor === undefined || status >= 300 || fault !== undefined)
      continue
    const who = `${key} ${query.replace(/&?after=[^&]*/, '')}`
    const group = groups.get(who)
    if (group === undefined) groups.set(who, [request])
    else group.push(request)
  }
  return groups.values()
}

function cursorsUsed({ requests }: Case): Set<string> {
  const used = new Set<string>()
  for (const { operation, query } of requests) {
    const after = operation === 'tasks.list' ? new URLSearchParams(query).get('after') : null
    if (after !== null) used.add(after)
  }
  return used
}

/** Whether the client has gone on with a task that the page showed: it was looking for it. */
function hasFoundOne({ id, note }: AnsweredRequest, { stories }: Case): boolean {
  return (note.shown ?? []).some((shown) => {
    const { polls = [], cancels = [], downloads = [] } = stories.get(shown.id) ?? {}
    const last = [polls.at(-1)?.request, cancels.at(-1)?.request, downloads.at(-1)]
    return last.some((request) => request !== undefined && request.id > id)
  })
}
