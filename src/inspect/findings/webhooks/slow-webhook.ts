import { isTimeout } from '../../../engine/webhooks/delivery.js'
import { judge, seconds, seenAt } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { Sent } from '../story.js'

/** A receiver takes its time to acknowledge a webhook. */
export const slowWebhook: FindingRule = {
  id: 'slow-webhook',
  severity: 'warning',
  title: 'A webhook is acknowledged too slowly',
  why: 'After 15 seconds the service takes it for lost and sends it again, while the first is still being processed.',
  remedy: 'Put the event into a queue, answer at once, and do the work afterwards.',
  look: ({ sent, thresholds }) =>
    judge(sent.filter(isJudged), (one) => {
      const { took, error } = one.attempt
      if (error !== undefined) return seenAt(one, `It was not answered: ${error}.`)
      return took > thresholds.webhook_answer
        ? seenAt(one, `It was answered after ${seconds(took)}.`)
        : undefined
    }),
}

/** Whether the attempt was answered or waited for too long: a refused connection does not show how fast the receiver is. */
function isJudged({ attempt: { error } }: Sent): boolean {
  return error === undefined || isTimeout(error)
}
