import type { Case } from '../case.js'
import { judge, line, seconds, seenIn, times } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import { hasFailed, lastFailures, learned, type Story } from '../story.js'

/** A task is given up because one poll failed. */
export const givesUpAfterFailedPoll: FindingRule = {
  id: 'gives-up-after-failed-poll',
  severity: 'error',
  title: 'A task is given up after a failed poll',
  why: 'The task goes on, and is billed when it succeeds: only the question has failed, not the generation.',
  remedy: 'Poll again after a wait that grows when a poll fails with 429, with 5xx or without an answer.',
  look: (record) => judge(failing(record), (story) => (isGivenUp(story, record) ? tell(story) : undefined)),
}

function* failing({ stories }: Case): Iterable<Story> {
  for (const story of stories.values())
    if (story.task !== undefined && story.polls.some(hasFailed)) yield story
}

/** Whether nothing but a few failed polls was the last that was heard of the client. */
export function isGivenUp(story: Story, record: Case): boolean {
  const failures = lastFailures(story)
  const last = failures.at(-1)?.request
  if (last === undefined || failures.length >= record.thresholds.failed_polls) return false
  if (!record.isQuietSince(last.answeredAt + (last.retryAfter ?? 0)) || awaitsWebhook(story, record))
    return false
  return learned(story) === undefined && !hasLookedSince(story, last.id)
}

function hasLookedSince({ listed, cancels }: Story, id: string): boolean {
  return [listed, ...cancels].some((look) => look !== undefined && look.request.id > id)
}

function awaitsWebhook({ task, deliveries }: Story, { sent }: Case): boolean {
  if (task?.completedAt === undefined) return task?.webhookUrl !== undefined || sent.length > 0
  return [...deliveries.values()].some(({ state }) => state === 'pending')
}

function tell(story: Story): Evidence | undefined {
  const [first, ...rest] = lastFailures(story).map(({ request }) => request)
  if (first === undefined) return undefined
  const how = first.status === 0 ? 'without an answer' : `with ${first.status}`
  const waited = rest.length === 0 ? '' : `, the last ${seconds((rest.at(-1)?.at ?? 0) - first.at)} later`
  return seenIn(
    [first, ...rest],
    `${line(first)} failed ${how} (${times(rest.length + 1)}${waited}), and nothing came after it.`,
  )
}
