import { isTerminal, type Status } from '../engine/tasks/task.js'
import type { RunFacts } from './run.js'

/** Says what a run without deviations shows that makes the others less meaningful, in sentences. */
export function baselineRemarks({ places, findings, rejectedWebhooks }: RunFacts): string[] {
  const mistakes = findings.filter(({ severity }) => severity !== 'note').map(({ id }) => id)
  const remarks = [
    mistakes.length > 0 &&
      `The client makes these mistakes also without failures, so they do not count here: ${mistakes.join(', ')}. See \`tasksim exec\`.`,
    rejectedWebhooks.length > 0 &&
      `The receiver rejects genuine webhooks also without failures (${rejectedWebhooks.join(', ')}), so failures of webhooks show nothing. Check its secret and how it verifies signatures.`,
    seesOnlyEnds(places) &&
      'Each poll found its task at its end, so no poll of a running task is explored. Poll more often, or let tasks take longer: with a lower `--speed`, or a `delay` in the scenario.',
  ]
  return remarks.filter((remark) => remark !== false)
}

/** Whether the client only polls, and has never read that a task is queued or runs. */
function seesOnlyEnds(places: RunFacts['places']): boolean {
  const hasWebhooks = places.some(({ place }) => place.type === 'webhook')
  const polled = places.flatMap(({ place }) =>
    place.type === 'request' && place.operation === 'tasks.retrieve' && place.shows !== undefined
      ? [place.shows]
      : [],
  )
  return !hasWebhooks && polled.length > 0 && polled.every((state) => isTerminal(state as Status))
}
