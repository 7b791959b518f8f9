import type { Case } from '../case.js'
import { judge, seconds, seenIn } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import type { Story } from '../story.js'
import { tellsEnd } from '../story.js'

/** Polls come closer together than the service recommends for the kind of task (section 8 of its description). */
export const pollsTooFast: FindingRule = {
  id: 'polls-too-fast',
  severity: 'warning',
  title: 'A task is polled faster than recommended',
  why: 'Polls count against the rate limit, and a faster poll makes no task end sooner.',
  remedy: 'Wait 1 to 2 seconds between polls, 3 to 5 for videos.',
  look: (record) => judge(polled(record), (story) => tooFast(story, record)),
}

function* polled({ stories }: Case): Iterable<Story> {
  for (const story of stories.values()) if (story.task !== undefined && story.polls.length > 1) yield story
}

function tooFast({ polls, task }: Story, { thresholds, span }: Case): Evidence | undefined {
  const interval = thresholds.poll_interval[task?.kind ?? 'image']
  const fast = []
  let shortest = Infinity
  for (const [index, { request }] of polls.entries()) {
    const before = polls[index - 1]
    // What comes after a failure is a retry, and what comes after the end is a mistake of another kind.
    if (before?.told === undefined || tellsEnd(before)) continue
    const gap = span(before.request.at, request.at)
    if (gap === undefined || gap >= interval * (1 - thresholds.tolerance)) continue
    fast.push(request)
    shortest = Math.min(shortest, gap)
  }
  const [first, ...rest] = fast
  if (first === undefined || fast.length < thresholds.fast_polls) return undefined
  const seen = `${fast.length} polls came sooner than ${seconds(interval)} after the one before, the fastest after ${seconds(shortest)}.`
  return seenIn([first, ...rest], seen)
}
