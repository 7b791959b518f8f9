import * as v from 'valibot'
import { closed } from '../../../scenario/schema/forms.js'
import { described, optional, positiveDuration, text } from '../../../scenario/schema/parts.js'
import { ids } from '../status-schema.js'
import { CONTEXTS, template, textTemplate } from '../template-check.js'
import { itemPage, status } from './answer-fields.js'

const answer = optional(template(CONTEXTS.receiver), 'The body of the answer. The default is the receiver')

const settings = {
  url: optional(textTemplate(CONTEXTS.request), 'The URL of the receiver', '{{body.url}}'),
  events: optional(
    textTemplate(CONTEXTS.request),
    'The names of the events that it receives. Without them, a new receiver gets all events, and an update keeps its events',
  ),
  name: optional(textTemplate(CONTEXTS.request), 'Its name'),
}

/** The actions on the receivers that clients register. */
export const RECEIVER_FORMS = {
  create_receiver: closed('CreateReceiverOperation', {
    action: v.literal('create_receiver'),
    status,
    answer,
    ...settings,
    require: optional(v.array(text), 'The fields that the body must have'),
    ids: optional(ids, 'The form of the ids of receivers. The default is 24 letters and digits'),
  }),
  retrieve_receiver: closed('RetrieveReceiverOperation', {
    action: v.literal('retrieve_receiver'),
    status,
    answer,
  }),
  update_receiver: closed('UpdateReceiverOperation', {
    action: v.literal('update_receiver'),
    status,
    answer,
    ...settings,
    enabled: optional(
      textTemplate(CONTEXTS.request),
      'Whether it receives webhooks: true or false. Any other value changes nothing',
    ),
  }),
  delete_receiver: closed('DeleteReceiverOperation', {
    action: v.literal('delete_receiver'),
    status,
    answer,
  }),
  ping_receiver: closed('PingReceiverOperation', {
    action: v.literal('ping_receiver'),
    status,
    answer,
    event: described(text, 'The name of the event that it sends'),
    body: described(template(CONTEXTS.receiver), 'The body of the webhook'),
  }),
  rotate_secret: closed('RotateSecretOperation', {
    action: v.literal('rotate_secret'),
    status,
    answer,
    overlap: optional(
      positiveDuration,
      'How long webhooks are also signed with the previous secret. The default is not at all',
    ),
    at_once_if: optional(
      textTemplate(CONTEXTS.request),
      'The requests after which the previous secret is invalid at once: a value that is neither missing nor null nor false. The default is none',
    ),
  }),
  list_receivers: closed('ListReceiversOperation', {
    action: v.literal('list_receivers'),
    status,
    answer: described(template(CONTEXTS.receivers), 'The body of the answer'),
    ...itemPage,
  }),
}
