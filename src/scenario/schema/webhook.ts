import * as v from 'valibot'
import { list } from '../../engine/suggest.js'
import { EVENT_NAMES } from '../../engine/webhooks/events/task-event.js'
import {
  BODY_FAULTS,
  combined,
  contradictionIn,
  readWebhookFault,
  SIGNATURE_FAULTS,
  WEBHOOK_FAULT_WORDS,
  type WebhookFault,
  type WebhookFaultWord,
} from '../../engine/webhooks/faults/webhook-fault.js'
import { HTTP_URL_FORM, httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { spread } from './delay.js'
import { anyOf, closed, jsonObject } from './forms.js'
import { addableHeader } from './names.js'
import {
  checkFields,
  convertedText,
  convertWith,
  described,
  duration,
  nonEmptyList,
  oneOf,
  onlyTrue,
  optional,
  positiveDuration,
  ruleName,
  setting,
  text,
  textLike,
  Unreadable,
} from './parts.js'
import { checkRampEnd, frequencyConditions, taskConditions } from './when.js'

/** As deep as other values of a scenario. */
const fieldPath = textLike(/^[^.]+(?:\.[^.]+){0,98}$/, 'expected a field, such as output or error.message')

const receiverUrl = convertedText(httpUrl, `expected ${HTTP_URL_FORM}`)

const retries = v.pipe(v.array(duration), v.maxLength(100))
const RETRIES = 'The delay before each retry'

/** A receiver as a mapping. */
export const receiver = closed('Receiver', {
  url: described(receiverUrl, 'The URL that receives the webhooks'),
  secret: optional(text, 'The signing secret of this receiver'),
  previous_secret: optional(
    text,
    'The secret with which the webhook fault `previous_secret` signs, for this receiver',
  ),
  events: optional(nonEmptyList(oneOf(EVENT_NAMES)), 'The events to send. The default is all events'),
  retries: optional(retries, RETRIES),
  timeout: optional(positiveDuration, 'The timeout of an attempt'),
  ordered: optional(
    v.boolean(),
    'true: sends an event only after the delivery of the previous one has ended',
  ),
})

const signature = closed('Signature', {
  header: setting(addableHeader, 'X-Service-Signature', 'The header of the signature'),
  encoding: setting(oneOf(['hex', 'base64']), 'hex', 'The encoding of the digest'),
  prefix: setting(
    textLike(/^(?:[\x20-\x7a\x7c-\x7e]|\{(?!\{))*$/, 'expected printable ASCII without `{{`'),
    '',
    'The text before the digest, such as sha256=',
  ),
})

const word = v.pipe(
  oneOf(Object.keys(WEBHOOK_FAULT_WORDS) as WebhookFaultWord[]),
  v.transform((name) => readWebhookFault(name) as WebhookFault),
)
const FORM = `expected ${list(Object.keys(WEBHOOK_FAULT_WORDS))}, a list of them, or a mapping such as { delay: 30s }`

function combineWords(words: readonly WebhookFault[]): WebhookFault | Unreadable {
  const fault = combined(words)
  return typeof fault === 'string' ? new Unreadable(fault) : fault
}

/** A fault of deliveries. */
export const webhookFault = anyOf(
  FORM,
  word,
  v.pipe(nonEmptyList(word), convertWith(combineWords)),
  v.pipe(
    closed('WebhookFault', {
      duplicate: optional(
        oneOf(['in_turn', 'at_once']),
        'Sends the event twice: the second time after the first delivery has ended, or at the same time',
      ),
      delay: optional(spread, 'The delay of the event'),
      timing: optional(
        oneOf(['before_response', 'after_poll', 'out_of_order']),
        'When to send the event: before the response to the create request, after a poll has returned the final state, or after the next event',
      ),
      lost: optional(onlyTrue, 'true: does not send the event'),
      body: optional(oneOf(BODY_FAULTS), 'How to change the body'),
      patch: optional(
        jsonObject,
        'Fields to merge into the task in the body, such as { status: on_hold }, correctly signed. null removes a field',
      ),
      nulls: optional(
        nonEmptyList(fieldPath),
        'Fields of the task in the body that are null, such as output or error.message, correctly signed',
      ),
      signature: optional(oneOf(SIGNATURE_FAULTS), 'How to change the signature'),
      attempts: optional(
        oneOf(['first', 'all']),
        'The attempts whose body or signature to change. By default, the first one; all, if the event is valid',
      ),
    }),
    checkFields(contradictionIn),
  ),
)

const faultRule = closed('WebhookFaultRule', {
  name: ruleName,
  when: optional(
    v.pipe(
      closed('WebhookFaultConditions', {
        receiver: optional(v.string(), 'The URL; * stands for any characters'),
        event: optional(oneOf(EVENT_NAMES), 'The event'),
        ...taskConditions,
        ...frequencyConditions,
      }),
      checkRampEnd(),
    ),
    'A delivery must meet all conditions. Without conditions, every delivery matches',
  ),
  then: described(webhookFault, 'A fault, a list of faults, or a mapping'),
})

/** The signatures, receivers, retries and faults of webhooks. */
export const webhooks = closed('Webhooks', {
  // The default secrets are public, so output shows them unmasked.
  secret: setting(text, 'whsec_local_signing_secret', 'The signing secret. --webhook-secret overrides it'),
  previous_secret: setting(
    text,
    'whsec_previous_signing_secret',
    'The secret with which the webhook fault `previous_secret` signs, as during a rotation',
  ),
  receivers: setting(
    v.array(anyOf('expected a URL, or a mapping with a `url`', receiverUrl, receiver)),
    [],
    'The receivers of the webhooks of every task: URLs, or mappings with settings',
  ),
  timeout: setting(positiveDuration, '15s', 'The timeout of an attempt'),
  retries: setting(retries, ['1s', '5s', '25s'], RETRIES),
  honor_retry_after: setting(
    v.boolean(),
    false,
    'true: a retry waits at least as long as the Retry-After header of the receiver requests, up to an hour',
  ),
  signature: optional(signature, 'The format of the signature'),
  canceled_event: setting(
    oneOf(['task.canceled', 'task.cancelled', 'none']),
    'task.canceled',
    'The event of a canceled task; `none` sends no event',
  ),
  faults: setting(
    v.array(faultRule),
    [],
    'Faults of deliveries. The first rule that matches a delivery applies',
  ),
})
