import { isTimeout } from '../../../engine/webhooks/deliveries/delivery.js'
import { collectEvidence, formatDuration, shorten, webhookEvidence } from '../evidence.js'
import type { FindingRule, Unclear } from '../finding.js'
import type { WebhookAttempt } from '../task-history.js'

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
