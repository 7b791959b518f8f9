import { collectEvidence, formatDuration, requestEvidence } from '../evidence.js'
import type { FindingRule } from '../finding.js'

/** Detects a client that polls a running task without a deadline. */
export const pollsWithoutEnd: FindingRule = {
  id: 'polls-without-end',
  severity: 'error',
  title: 'A task that does not end is polled forever',
  why: 'A task can get stuck. A client without a deadline waits forever, and so do its callers.',
  remedy: 'Set a deadline for each wait. At the deadline, cancel the task and report a timeout.',
  provoke:
    'Run the scenario `stuck` for longer than `findings.thresholds.longest_wait`, which a scenario can shorten.',
  check: ({ histories, thresholds, now }) => {
    const { longest_wait: longest } = thresholds
    const slow = histories.filter(
      ({ task }) => task !== undefined && (task.completedAt ?? now) - task.createdAt > longest,
    )
    return collectEvidence(slow, ({ polls, task }) => {
      const late = polls.find(
        ({ request, reported }) =>
          reported !== undefined && request.at - (task?.createdAt ?? request.at) > longest,
      )
      const last = polls.at(-1)
      if (late === undefined || last === undefined) return undefined
      const waited = formatDuration(last.request.at - (task?.createdAt ?? 0))
      return requestEvidence([late.request], `The client still polled the task ${waited} after its creation.`)
    })
  },
}
