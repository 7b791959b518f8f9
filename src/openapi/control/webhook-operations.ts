import { DELIVERY_STATES } from '../../engine/webhooks/delivery.js'
import { EVENT_NAMES } from '../../engine/webhooks/event.js'
import type { Descriptions } from '../description.js'
import { count, duration, flag, listOf, mapOf, object, pageOf, ref, text, word } from '../schema.js'
import { asked, BAD_BODY, idOf, PAGE } from './parameters.js'

const DELIVERY = { 200: { description: 'The delivery', schema: ref('Delivery') } }

/** What looks at webhooks, and sends some. */
export const WEBHOOK_OPERATIONS: Descriptions = {
  'sim.receivers.list': {
    path: '/_sim/receivers',
    tag: 'Webhooks',
    summary: 'List who gets the webhooks of every task',
    answers: { 200: { description: 'All of them', schema: object({ data: listOf(ref('Receiver')) }) } },
  },
  'sim.receivers.add': {
    path: '/_sim/receivers',
    tag: 'Webhooks',
    summary: 'Register a receiver',
    body: {
      schema: object({
        url: text('Where webhooks go', { format: 'uri' }),
        'secret?': text('Its own signing secret'),
        'previous_secret?': text('The one before it'),
        'events?': listOf(word('An event', EVENT_NAMES), 'The events that it gets; all unless given'),
        'retries?': listOf(duration('A wait'), 'The waits before further attempts'),
        'timeout?': duration('How long an attempt may take'),
        'ordered?': flag('One event after the other'),
      }),
      examples: { 'failures only': { url: 'http://localhost:3000/webhooks', events: ['task.failed'] } },
    },
    answers: { 201: { description: 'The receiver', schema: ref('Receiver') } },
    errors: [...BAD_BODY, 'conflict'],
  },
  'sim.receivers.remove': {
    path: '/_sim/receivers/{id}',
    tag: 'Webhooks',
    summary: 'Take a receiver off the list',
    description: 'What is on its way to it is still delivered.',
    params: idOf('receiver'),
    answers: { 200: { description: 'The receiver, as it was', schema: ref('Receiver') } },
    errors: ['not_found'],
  },
  'sim.deliveries.list': {
    path: '/_sim/deliveries',
    tag: 'Webhooks',
    summary: 'List deliveries',
    query: {
      task: asked('Only those of this task'),
      receiver: asked('Only those to this receiver, by its id or URL'),
      state: asked('Only those in this state', word('A state', DELIVERY_STATES)),
      ...PAGE,
    },
    answers: {
      200: {
        description: 'The page',
        schema: pageOf(ref('Delivery'), {
          counts: mapOf(count('Deliveries'), 'How many there were in each state, those forgotten included'),
        }),
      },
    },
    errors: ['invalid_request'],
  },
  'sim.deliveries.read': {
    path: '/_sim/deliveries/{id}',
    tag: 'Webhooks',
    summary: 'Read a delivery, with the exact bytes of every attempt',
    params: idOf('delivery'),
    answers: DELIVERY,
    errors: ['not_found'],
  },
  'sim.deliveries.redeliver': {
    path: '/_sim/deliveries/{id}/redeliver',
    tag: 'Webhooks',
    summary: 'Send an event once more',
    description:
      'Answers with the new delivery, after its first attempt where the receiver takes not too long.',
    params: idOf('delivery'),
    answers: DELIVERY,
    errors: [...BAD_BODY, 'not_found'],
  },
  'sim.webhooks.trigger': {
    path: '/_sim/webhooks/trigger',
    tag: 'Webhooks',
    summary: 'Send a signed example of an event, without a task',
    body: {
      schema: object({
        'event?': word('The event', EVENT_NAMES, { default: 'task.succeeded' }),
        'url?': text('Who gets it; every registered receiver unless given', { format: 'uri' }),
        'receiver?': text('The id of a registered receiver, in place of `url`', { examples: ['rcv_1'] }),
      }),
      examples: { 'to one URL': { event: 'task.failed', url: 'http://localhost:3000/webhooks' } },
    },
    answers: { 200: { description: 'The deliveries', schema: object({ data: listOf(ref('Delivery')) }) } },
    errors: BAD_BODY,
  },
}
