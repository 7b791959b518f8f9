import type { AnsweredRequest } from '../../../engine/events.js'
import type { Case } from '../case.js'
import { judge, seenIn, times } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import { follows, type Look, type Story, tellsEnd } from '../story.js'

/** Looks that are further apart are not polling: somebody opens a page, or wants a fresh URL. */
const LOOKING_AGAIN = 60_000

/** Polling goes on although the task has told its end. */
export const pollsAfterEnd: FindingRule = {
  id: 'polls-after-end',
  severity: 'warning',
  title: 'Polling goes on after the task has ended',
  why: 'A finished task never changes, so a loop that misses one of the final states runs for ever.',
  remedy: 'Stop at every final state: succeeded, failed and canceled.',
  look: (record) => judge(ended(record), ([story, end]) => goingOn(story, end, record)),
}

function* ended({ stories }: Case): Iterable<[Story, Look]> {
  for (const story of stories.values()) {
    const end = [...story.polls, ...story.cancels].filter(isSureEnd).sort(byArrival)[0]
    if (end !== undefined) yield [story, end]
  }
}

function isSureEnd(look: Look): boolean {
  return look.told?.isSure === true && tellsEnd(look)
}

function byArrival(a: Look, b: Look): number {
  return a.request.id < b.request.id ? -1 : 1
}

function goingOn({ polls, downloads }: Story, end: Look, { thresholds }: Case): Evidence | undefined {
  let row: AnsweredRequest[] = []
  let longest: AnsweredRequest[] = []
  let before = end.request
  for (const { request } of polls) {
    if (!follows(request, end.request)) continue
    const from = before
    const isPurposeful = downloads.some(({ id }) => id > from.id && id < request.id)
    if (request.at - before.at > LOOKING_AGAIN || isPurposeful) row = []
    row.push(request)
    if (row.length > longest.length) longest = row
    before = request
  }
  const [first, ...rest] = longest
  if (first === undefined || longest.length <= thresholds.polls_after_end) return undefined
  return seenIn(
    [first, ...rest],
    `After the answer \`${end.told?.status}\` it was polled ${times(longest.length)} more.`,
  )
}
