import { collectEvidence } from '../evidence.js'
import { type FindingRule, WEBHOOK_DUE } from '../finding.js'
import {
  endsWithRejection,
  findKnownEnd,
  findLateCancel,
  hasPendingDelivery,
  isAccepted,
  isDropped,
  isUndeliverable,
} from '../task-history.js'
import { isAbandoned } from './gives-up-after-failed-poll.js'
import { CANCEL_FAILED } from './result-never-learned.js'

/** Detects a client that does not request a task after the webhook of the task was lost. */
export const reliesOnWebhookAlone: FindingRule = {
  id: 'relies-on-webhook-alone',
  severity: 'error',
  title: 'A lost webhook loses the result',
  why: 'Webhooks get lost during deployments and network failures, and a missing message raises no alert.',
  remedy: 'Poll each task whose webhook does not arrive in time, or check the list regularly.',
  occasion: 'webhook',
  provoke: "Give the client's tasks a webhook URL, and apply the webhook fault `lost`.",
  sees: 'forgeries',
  check: (context) => {
    const unannounced = context.histories.flatMap((history) => {
      const lost = [...history.deliveries.values()].filter(isUndeliverable).map(({ id }) => id)
      const at = history.task?.completedAt
      return lost.length > 0 && at !== undefined && context.isSilentSince(at) ? [{ history, lost, at }] : []
    })
    return collectEvidence(unannounced, ({ history, lost, at }) => {
      const { id, task, webhookAttempts } = history
      const hasAccepted = webhookAttempts.some(({ attempt }) => isAccepted(attempt))
      if (hasAccepted || findKnownEnd(history) !== undefined || isAbandoned(history, context))
        return undefined
      if (endsWithRejection(history) || isDropped(history)) return undefined
      if (hasPendingDelivery(history)) return WEBHOOK_DUE
      const late = findLateCancel(history)
      if (late === undefined && history.cancels.length > 0) return CANCEL_FAILED
      const only = late === undefined ? '' : ', but only sent a cancel request, which came too late'
      const seen = `The task ended (${task?.status}). Its webhook was lost, and the client did not ask for the result${only}.`
      return { at, taskId: id, deliveryIds: lost, seen }
    })
  },
}
