import type { Case } from '../case.js'
import { judge } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { isAccepted, isLost, isTrue, learned, type Story } from '../story.js'
import { isUndeliverable } from '../webhooks/undeliverable.js'
import { isGivenUp } from './gives-up-after-failed-poll.js'

/** A task has ended, and the client has not asked and was not told. */
export const resultNeverLearned: FindingRule = {
  id: 'result-never-learned',
  severity: 'error',
  title: 'The result of a task is never learned',
  why: 'It was ordered and, where it has succeeded, paid for; nobody has its output, and in 30 days it is gone.',
  remedy:
    'Poll each task until it has ended, or accept its webhook; take up open tasks again after a restart.',
  look: (record) =>
    judge(ended(record), (story) => {
      const { task } = story
      if (task?.completedAt === undefined || !isForgotten(story, record)) return undefined
      const seen = `It has ${task.status}, and no poll, list or accepted webhook has told the client so.`
      return { at: task.completedAt, taskId: task.id, seen }
    }),
}

/** The tasks that have ended, of which the client knew that they are there. */
function* ended({ stories }: Case): Iterable<Story> {
  for (const story of stories.values())
    if (story.task?.completedAt !== undefined && isKnown(story)) yield story
}

/** A test may have made a task by itself, without any request; then only what is asked about it tells. */
function isKnown({ created, polls, cancels, listed }: Story): boolean {
  if (created !== undefined) return !isLost(created)
  return polls.length + cancels.length > 0 || listed !== undefined
}

function isForgotten(story: Story, record: Case): boolean {
  const { task, polls, deliveries, sent } = story
  const last = Math.max(task?.completedAt ?? 0, polls.at(-1)?.request.answeredAt ?? 0)
  if (!record.isQuietSince(last) || learned(story) !== undefined) return false
  const notices = [...deliveries.values()]
  // What comes next is told by rules of its own, which know better what went wrong.
  const wasFooled = sent.some(({ attempt }) => isAccepted(attempt) && !isTrue(attempt))
  if (wasFooled || isGivenUp(story, record) || notices.some(isUndeliverable)) return false
  return !notices.some(({ state }) => state === 'pending')
}
