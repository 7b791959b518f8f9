import type { Case } from '../case.js'
import { judge, seconds, seenIn } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { Story } from '../story.js'

/** A task that does not end is polled for ever. */
export const pollsWithoutEnd: FindingRule = {
  id: 'polls-without-end',
  severity: 'error',
  title: 'A task that does not end is polled without end',
  why: 'A task can get stuck. A client that has no deadline waits with it, and so does everyone who waits for the client.',
  remedy: 'Give each wait a deadline; then cancel the task and report a timeout.',
  look: (record) => {
    const { longest_wait: longest } = record.thresholds
    return judge(lasting(record), ({ polls, task }) => {
      const late = polls.find(
        ({ request, told }) => told !== undefined && request.at - (task?.createdAt ?? request.at) > longest,
      )
      const last = polls.at(-1)
      if (late === undefined || last === undefined) return undefined
      const waited = seconds(last.request.at - (task?.createdAt ?? 0))
      return seenIn([late.request], `It was still polled ${waited} after its creation.`)
    })
  },
}

/** The tasks that have run longer than anyone should wait. */
function* lasting({ stories, thresholds, now }: Case): Iterable<Story> {
  for (const story of stories.values()) {
    const { task } = story
    if (task !== undefined && (task.completedAt ?? now) - task.createdAt > thresholds.longest_wait)
      yield story
  }
}
