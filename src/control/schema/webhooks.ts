import * as v from 'valibot'
import { DELIVERY_STATES } from '../../engine/webhooks/deliveries/delivery.js'
import { EVENT_NAMES } from '../../engine/webhooks/events/task-event.js'
import {
  count,
  counts,
  described,
  flag,
  instant,
  list,
  listOf,
  number,
  pageOf,
  record,
  shape,
  text,
  word,
} from './parts.js'

const headers = record(v.string(), 'Headers by lower-case name')

const attempt = {
  number: count('The number of the attempt, from 1'),
  started_at: instant('When the attempt started'),
  took_ms: number('Real milliseconds until the response'),
  status: v.optional(count('The HTTP status of the response')),
  error: v.optional(text('Why there was no response')),
  flaw: v.optional(text('The defect that a webhook fault added; a receiver must reject the attempt')),
  retry_at: v.optional(instant('When the next attempt is due')),
}

export const AttemptBrief = shape('One POST of a webhook, without headers and bodies', attempt)

export const Attempt = shape('One POST of a webhook', {
  ...attempt,
  request: described(
    v.strictObject({
      headers,
      body: text('The body as text'),
      body_base64: text('The exact bytes of the body', { contentEncoding: 'base64' }),
    }),
    'The request',
  ),
  response: v.optional(
    described(
      v.strictObject({
        status: count('The HTTP status'),
        headers: v.optional(headers),
        body: v.optional(text('Up to 4 KB of the body')),
        partial: v.optional(
          text('Why `body` is incomplete; only the status decides whether the attempt succeeded'),
        ),
      }),
      'The response of the receiver',
    ),
  ),
  expected: v.optional(
    described(
      v.strictObject({ headers, body: text('The body as text') }),
      'The request without the webhook fault that changed it, signed with the current secret; only in the response with one delivery',
    ),
  ),
})

const delivery = {
  id: text('The id of the delivery', { examples: ['dlv_00000001'] }),
  task_id: text('The id of the task'),
  dialect: text('The wire format of the webhook', { examples: ['tasks'] }),
  event: text("The service's name for the event", { examples: ['task.succeeded'] }),
  url: text('The URL of the receiver; secrets in its query are masked', { format: 'uri' }),
  state: word(DELIVERY_STATES, 'The state of the delivery; `lost`: a webhook fault dropped it'),
  created_at: instant('When the task ended'),
  next_attempt_at: v.optional(instant('The latest time of the next attempt')),
  fault: v.optional(text('The webhook fault rule that applied')),
  copy_of: v.optional(text('The id of the delivery that this one duplicates or repeats')),
}

export const DeliveryBrief = shape('One event for one receiver, without headers and bodies', {
  ...delivery,
  attempts: list(AttemptBrief, 'The attempts so far, oldest first'),
})

export const Delivery = shape('One event for one receiver', {
  ...delivery,
  attempts: list(Attempt, 'The attempts so far, oldest first'),
})

export const Receiver = shape('A receiver of the webhooks of all tasks', {
  id: text('The id of the receiver', { examples: ['rcv_1'] }),
  url: text('The URL that webhooks are sent to; secrets in its query are masked', { format: 'uri' }),
  source: word(
    ['scenario', 'option', 'control', 'api'],
    'Where the receiver was registered; `api`: by a client, through the API of a service',
  ),
  registration: v.optional(
    shape('How a client of a service registered a receiver', {
      dialect: text('The wire format of its webhooks', { examples: ['google'] }),
      key: text('The API key of the client, masked: the receiver gets webhooks about its tasks only'),
      name: v.optional(text('The name that the client gave it')),
      events: v.optional(
        list(v.string(), "The service's names of the events that it receives; all by default"),
      ),
    }),
  ),
  active: flag('Whether webhooks are sent to it; a response with status 410 deactivates it'),
  off_because: v.optional(text('Why the receiver is inactive')),
  secret: v.optional(text('Its signing secret, masked')),
  previous_secret: v.optional(text('Its signing secret before the last rotation, masked')),
  events: v.optional(list(v.picklist(EVENT_NAMES), 'The events that it receives; all by default')),
  retries_ms: v.optional(list(count('Milliseconds'), 'The delay before each retry, in milliseconds')),
  timeout_ms: v.optional(count('The timeout of an attempt, in milliseconds')),
  ordered: flag('Whether each delivery waits until the previous one has ended'),
})

export const DeliveryList = listOf(Delivery)

export const DeliveryPage = shape('A page of deliveries', {
  ...pageOf(described(v.union([Delivery, DeliveryBrief]), 'In full, or in brief')).entries,
  counts: counts('The number of deliveries by state, including evicted deliveries'),
})

export const ReceiverList = listOf(Receiver)
