import { isEndEvent } from '../../engine/webhooks/events/task-event.js'
import {
  FORGERIES,
  WEBHOOK_FAULT_WORDS,
  type WebhookFault,
} from '../../engine/webhooks/faults/webhook-fault.js'
import { type Deviation, deviation } from './deviation.js'

/** The simulator sends a held webhook after this time at the latest, in milliseconds on the clock. */
const HELD = 60_000

/** Defines a fault of a webhook that arrives in another way. */
function delivery(word: string, title: string, webhook: WebhookFault, delays = 0): Deviation {
  return deviation('webhook', word, 'transient', title, () => ({ webhook, delays }))
}

/** What a receiver must reject. */
const FORGED: Readonly<Record<(typeof FORGERIES)[number], string>> = {
  no_signature: 'a webhook has no signature',
  empty_signature: 'a webhook has an empty signature',
  malformed_signature: 'a webhook has a malformed signature',
  wrong_signature: 'a webhook has a wrong signature',
  old_timestamp: 'a webhook has a signature that is an hour old',
  changed: 'a webhook has a changed body',
  truncated: 'a webhook has only half of its body',
}

/** Defines a webhook that a receiver must reject. */
function forgery(word: (typeof FORGERIES)[number]): Deviation {
  return deviation('webhook', word, 'forgery', FORGED[word], (_, { traits }) => {
    const isPossible = word === 'old_timestamp' ? traits?.signsTime : traits?.isSigned
    return isPossible === true
      ? { webhook: WEBHOOK_FAULT_WORDS[word], delays: traits?.retry ?? 0 }
      : undefined
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
  deviation(
    'webhook',
    'spaced',
    'transient',
    'the JSON of the webhook has other white space',
    (_, { traits }) => (traits?.isSigned === true ? { webhook: WEBHOOK_FAULT_WORDS.spaced } : undefined),
  ),
  ...FORGERIES.map(forgery),
]
