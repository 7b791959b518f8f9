import { collectEvidence, formatDuration, requestEvidence } from '../evidence.js'
import type { FindingRule } from '../finding.js'

/** Detects a client that polls a running task without a deadline. */
export const pollsWithoutEnd: FindingRule = {
  id: 'polls-without-end',
  severity: 'error',
  title: 'A task that does not end is polled forever',
  why: 'A task can get stuck. A client without a deadline waits forever, and so do its callers.',
  remedy:
    'Set a deadline for each wait. At the deadline, cancel the task, if the service can do that, and report a timeout.',
  occasion: 'scenario',
  provoke:
    'Run the scenario `stuck` for longer than `findings.thresholds.longest_wait`, which a scenario can shorten.',
  check: ({ histories, thresholds, now, waits }) => {
    const { longest_wait: longest } = thresholds
    const slow = histories.filter(
      ({ task }) => task !== undefined && (task.completedAt ?? now) - task.createdAt > longest,
    )
    return collectEvidence(slow, ({ created, polls, task }) => {
      const begin = (created ?? polls[0])?.request
      if (begin === undefined || task === undefined) return undefined
      const answered = polls.filter(({ reported }) => reported !== undefined)
      const late = answered.find(({ request }) => waits.isLonger(begin, request, longest))
      const last = polls.at(-1)
      if (late === undefined || last === undefined)
        return answered.some(({ request }) => request.at - begin.at > longest) ? waits : undefined
      const waited = formatDuration(last.request.at - task.createdAt)
      return requestEvidence([late.request], `The client still polled the task ${waited} after its creation.`)
    })
  },
}
