import { formatTimes } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import type { TimedObservation } from '../journal-index.js'
import { isGenuine } from '../task-history.js'

/** Detects that the client processes an event more than once, if the test reports it. */
export const processesWebhookTwice: FindingRule = {
  id: 'processes-webhook-twice',
  severity: 'error',
  title: 'A webhook is processed twice',
  why: 'The service delivers at least once. The client charges, credits or notifies a customer each time.',
  remedy: 'Record which tasks and events are processed, and acknowledge duplicates without further action.',
  occasion: 'observation',
  provoke:
    "Apply the webhook fault `duplicate`, and call `sim.observe('webhook.processed', { taskId })` where the client processes an event.",
  needs: 'webhook.processed',
  check: (context) => {
    const evidence: Evidence[] = []
    let hasOccasion = false
    for (const [{ taskId, at }, count] of countProcessed(context)) {
      const isDuplicate = wasDeliveredTwice(taskId, context)
      hasOccasion ||= isDuplicate
      if (count === 1) continue
      const seen = `The test reports that the client processed it ${formatTimes(count)}`
      const parts =
        'though no duplicate was delivered. If several components process an event once each, name them with `by`'
      evidence.push({ at, taskId, seen: isDuplicate ? `${seen}.` : `${seen}, ${parts}.` })
    }
    return evidence.length > 0 || hasOccasion ? evidence : undefined
  },
}

/** Groups observations by task and part of the client. Yields the first observation and the size of each group. */
function countProcessed({ observations }: FindingContext): Iterable<[TimedObservation, number]> {
  const groups = new Map<string, [TimedObservation, number]>()
  for (const observation of observations) {
    if (observation.what !== 'webhook.processed') continue
    const identity = `${observation.taskId} ${observation.by ?? ''}`
    const [first, count] = groups.get(identity) ?? [observation, 0]
    groups.set(identity, [first, count + 1])
  }
  return groups.values()
}

/** Whether a receiver got the genuine event of a task more than once. */
function wasDeliveredTwice(taskId: string, { historyOf }: FindingContext): boolean {
  const deliveries = (historyOf(taskId)?.webhookAttempts ?? [])
    .filter(({ attempt }) => isGenuine(attempt) && attempt.status !== undefined)
    .map(({ delivery }) => `${delivery.event} ${delivery.url}`)
  return new Set(deliveries).size < deliveries.length
}
