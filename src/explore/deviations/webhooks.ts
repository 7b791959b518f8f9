import { isEndEvent } from '../../engine/webhooks/events/task-event.js'
import type { WebhookFault } from '../../engine/webhooks/faults/webhook-fault.js'
import { type Deviation, deviation } from './deviation.js'

/** The simulator sends a held webhook after this time at the latest, in milliseconds on the clock. */
const HELD = 60_000

/** Defines a fault of a webhook that arrives in another way. */
function delivery(word: string, title: string, webhook: WebhookFault, delays = 0): Deviation {
  return deviation('webhook', word, 'transient', title, () => ({ webhook, delays }))
}

/** Defines a webhook that a receiver must reject. */
function forgery(word: string, title: string, webhook: WebhookFault): Deviation {
  return deviation('webhook', word, 'forgery', title, (_, { traits }) => {
    const isPossible = webhook.signature === 'old_timestamp' ? traits?.signsTime : traits?.isSigned
    return isPossible === true ? { webhook, delays: traits?.retry ?? 0 } : undefined
  })
}

/** How a webhook may arrive, and how it may be forged. */
export const WEBHOOKS: readonly Deviation[] = [
  delivery('lost', 'the webhook is lost', { lost: true }),
  delivery('duplicate', 'the webhook arrives twice', { duplicate: 'in_turn' }),
  delivery('duplicate_at_once', 'the webhook arrives twice at the same time', { duplicate: 'at_once' }),
  delivery('late', 'the webhook arrives after the poll', { timing: 'after_poll' }, HELD),
  deviation(
    'webhook',
    'early',
    'transient',
    'the webhook arrives before the answer to the create request',
    ({ event }) => (isEndEvent(event) ? { webhook: { timing: 'before_response' } } : undefined),
  ),
  deviation('webhook', 'reordered', 'transient', 'the webhook arrives after the next one', (_, __, places) =>
    places.filter(({ place }) => place.type === 'webhook').length > 1
      ? { webhook: { timing: 'out_of_order' }, delays: HELD }
      : undefined,
  ),
  forgery('no_signature', 'a webhook has no signature', { signature: 'missing' }),
  forgery('empty_signature', 'a webhook has an empty signature', { signature: 'empty' }),
  forgery('malformed_signature', 'a webhook has a malformed signature', { signature: 'malformed' }),
  forgery('wrong_signature', 'a webhook has a wrong signature', { signature: 'wrong' }),
  forgery('old_timestamp', 'a webhook has a signature that is an hour old', { signature: 'old_timestamp' }),
  forgery('changed', 'a webhook has a changed body', { body: 'changed' }),
  forgery('truncated', 'a webhook has only half of its body', { body: 'truncated' }),
]
