import { isTimeout } from '../../../engine/webhooks/deliveries/delivery.js'
import { collectEvidence, formatDuration, formatTimes, shorten, webhookEvidence } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import type { TimedObservation } from '../journal-index.js'
import { isGenuine, type WebhookAttempt } from '../task-history.js'

/** Detects a receiver that takes too long to acknowledge a webhook. */
export const slowWebhook: FindingRule = {
  id: 'slow-webhook',
  severity: 'warning',
  title: 'A webhook is acknowledged too slowly',
  why: 'After a timeout, such as 15 seconds, the service sends the webhook again, even if the receiver is still processing it.',
  remedy: 'Put the event into a queue, answer immediately, and process it afterwards.',
  occasion: 'webhook',
  provoke: "Give the client's tasks a webhook URL, or pass `--webhook URL`.",
  sees: 'webhooks',
  check: ({ webhookAttempts, thresholds, waits }) => {
    // A refused connection does not show how fast the receiver is.
    const timed = webhookAttempts.filter(({ attempt: { error } }) => error === undefined || isTimeout(error))
    const isLate = ({ attempt }: WebhookAttempt) => attempt.took > thresholds.webhook_answer
    const all = countAlike(timed)
    const late = countAlike(timed.filter(isLate))
    return collectEvidence(timed, (webhook) => {
      const { took, error, startedAt } = webhook.attempt
      if (error !== undefined) return webhookEvidence(webhook, `The receiver did not answer: ${error}.`)
      if (!isLate(webhook)) {
        const waited = webhook.answeredAt - startedAt
        return waits.areOnClock && waited > thresholds.webhook_answer
          ? waitedOnClock(waited, took)
          : undefined
      }
      const work = workOf(webhook)
      const [lateOnes, ones] = [late.get(work) ?? 0, all.get(work) ?? 0]
      if (lateOnes < ones / 2) return tooFewLate(lateOnes, ones)
      return webhookEvidence(webhook, `The receiver answered after ${formatDuration(took)}.`)
    })
  },
}

/** The work of a receiver: the same event at the same receiver needs the same time. */
function workOf({ delivery: { url, event } }: WebhookAttempt): string {
  return `${event} ${url}`
}

function countAlike(webhooks: readonly WebhookAttempt[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const webhook of webhooks) counts.set(workOf(webhook), (counts.get(workOf(webhook)) ?? 0) + 1)
  return counts
}

/** A receiver that does its work first is late each time; on a busy machine, any receiver is late now and then. */
function tooFewLate(late: number, all: number): Unclear {
  return {
    reason: `The receiver answered ${late} of ${all} such webhooks too late, and the others in time: the machine may have been busy.`,
  }
}

/** The receiver may have waited on the clock, or the clock has moved on for others while it worked in real time. */
function waitedOnClock(waited: number, took: number): Unclear {
  return {
    reason: `The receiver answered ${formatDuration(took)} of real time later, in which ${formatDuration(waited)} passed on the clock of its timers. If it waits before it answers, it is too slow: let it answer first.`,
  }
}

/** Detects a receiver that redirects webhooks. */
export const redirectsWebhook: FindingRule = {
  id: 'redirects-webhook',
  severity: 'error',
  title: 'A webhook is answered with a redirect',
  why: 'The service does not follow redirects. The attempt counts as failed, and after a few more the event is lost.',
  remedy: 'Register the final URL: with https, with the correct trailing slash, and without a login page.',
  occasion: 'webhook',
  provoke: "Give the client's tasks a webhook URL, or pass `--webhook URL`.",
  sees: 'webhooks',
  check: ({ webhookAttempts }) => {
    const answered = webhookAttempts.filter(({ attempt }) => attempt.status !== undefined)
    return collectEvidence(answered, (webhook) => {
      const { status = 0, answer } = webhook.attempt
      if (status < 300 || status > 399) return undefined
      const location = answer?.headers?.['location']
      const target = location === undefined ? 'without a Location header' : `to ${shorten(location)}`
      return webhookEvidence(webhook, `The receiver answered with ${status}, ${target}.`)
    })
  },
}

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
