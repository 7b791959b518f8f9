import * as v from 'valibot'
import { toBase64 } from '../engine/base64.js'
import { isoTime } from '../engine/clock/instants.js'
import { maskUrl } from '../engine/mask.js'
import {
  type Answer,
  type Attempt,
  type Delivery,
  sendsPayload,
} from '../engine/webhooks/deliveries/delivery.js'
import type { RequestedDelivery } from '../engine/webhooks/deliveries/delivery-sender.js'
import { exampleState } from '../engine/webhooks/events/example-task.js'
import { HTTP_URL_FORM, httpUrl } from '../engine/webhooks/receivers/receiver.js'
import { signAttempt, signingKeys } from '../engine/webhooks/signing/sign-attempt.js'
import { flawOfEvent } from '../engine/webhooks/webhook-format.js'
import { json } from '../exchange/exchange.js'
import { pageReply } from '../exchange/pages.js'
import { invalid, Problem } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { checkUrl } from './receivers.js'
import { DeliveryQuery, Redelivery, WebhookTrigger } from './schema/inputs.js'
import { DEFAULT_LIMIT, optional, truth } from './schema/parts.js'
import type { AttemptBriefShape, AttemptShape, DeliveryBriefShape, DeliveryShape } from './shapes.js'

const ID = { id: 'The id of the delivery' }

export const listDeliveries = controlOperation('sim.deliveries.list', {
  tag: 'Webhooks',
  summary: 'List deliveries',
  query: v.strictObject({
    ...DeliveryQuery.entries,
    brief: optional(truth, '`true`: attempts without headers and bodies'),
  }),
  responses: { 200: { description: 'A page of deliveries', json: 'DeliveryPage' } },
  errors: ['invalid_request'],
  async run({ sim }, { query }) {
    const { task: taskId, receiver, state, after, limit = DEFAULT_LIMIT, brief } = query
    const url = receiver && urlOfReceiver(receiver, sim)
    const page = sim.webhooks.log.list({ taskId, url, state, after, limit })
    if (page === undefined)
      throw invalid('query parameter', 'after', after, 'the `next_cursor` of a page that you got')
    const shapeOf = brief ? deliveryBriefShape : deliveryShape
    const source = {
      items: page.deliveries,
      hasMore: page.hasMore,
      textOf: (delivery: Delivery) => JSON.stringify(shapeOf(delivery)),
      cursorOf: ({ id }: Delivery) => id,
    }
    return (await pageReply(source, { counts: sim.webhooks.log.counts })).reply
  },
})

/** @param receiver an id or a URL */
function urlOfReceiver(receiver: string, sim: Simulator): string {
  const registered = sim.webhooks.receivers.list().find(({ id }) => id === receiver)
  return registered?.url ?? httpUrl(receiver) ?? receiver
}

export const readDelivery = controlOperation('sim.deliveries.read', {
  tag: 'Webhooks',
  summary: 'Read a delivery with the exact bytes of every attempt',
  params: ID,
  responses: { 200: { description: 'The delivery', json: 'Delivery' } },
  errors: ['not_found'],
  async run({ sim, params: [id = ''] }) {
    const delivery = sim.webhooks.log.get(id)
    if (delivery === undefined) throw noDelivery(id)
    return json(200, await withExpected(delivery, sim))
  },
})

export const redeliver = controlOperation('sim.deliveries.redeliver', {
  tag: 'Webhooks',
  summary: 'Send an event again, changed if you like',
  description: 'Responds after the first attempt of the new delivery, unless the receiver takes too long.',
  params: ID,
  body: {
    optional: true,
    schema: Redelivery,
    examples: { 'as it was': {}, forged: { body: '{"event":"task.failed"}', signature: 'wrong' } },
  },
  responses: { 200: { description: 'The new delivery', json: 'Delivery' } },
  errors: [...BODY_ERRORS, 'not_found'],
  async run({ sim, params: [id = ''] }, { body }) {
    const requested = sim.webhooks.redeliver(id, body)
    if (requested === undefined) throw noDelivery(id)
    const [delivery] = await afterFirstAttempt([requested], sim)
    if (delivery === undefined) throw noDelivery(requested.id)
    return json(200, delivery)
  },
})

export const triggerWebhook = controlOperation('sim.webhooks.trigger', {
  tag: 'Webhooks',
  summary: 'Send a signed example of an event, without a task',
  body: {
    schema: WebhookTrigger,
    examples: {
      'to one URL': { event: 'task.failed', url: 'http://localhost:3000/webhooks' },
      'in the format of a service': { event: 'task.started', dialect: 'luma', receiver: 'rcv_1' },
    },
  },
  responses: { 200: { description: 'The deliveries', json: 'DeliveryList' } },
  errors: BODY_ERRORS,
  async run({ sim }, { body: { event = 'task.succeeded', dialect = sim.dialects.main, url, receiver } }) {
    if (url !== undefined && receiver !== undefined)
      throw new Problem('invalid_request', 'Give `url` or `receiver`, not both.', { param: 'receiver' })
    const target = receiver === undefined ? checkedUrl(url, sim) : registeredUrl(receiver, sim)
    await checkEvent(event, dialect, sim)
    return json(200, {
      data: await afterFirstAttempt(sim.webhooks.trigger(exampleState, event, target, dialect), sim),
    })
  },
})

/** @throws Problem 400 if there is no such dialect, or its service does not send the event */
async function checkEvent(event: string, name: string, { dialects, scenario }: Simulator): Promise<void> {
  if (!dialects.names.includes(name))
    throw invalid('field', 'dialect', name, 'the name of a dialect that GET /_sim/dialects lists')
  const { webhooks } = await dialects.load(name)
  const flaw = flawOfEvent(event, name, webhooks(scenario))
  if (flaw !== undefined) throw new Problem('invalid_request', flaw, { param: 'event' })
}

function checkedUrl(url: string | undefined, sim: Simulator): string | undefined {
  if (url === undefined) return undefined
  const target = httpUrl(url)
  if (target === undefined) throw invalid('field', 'url', url, HTTP_URL_FORM)
  checkUrl(target, sim)
  return target
}

/** A registered receiver needs no check: it receives the webhooks of every task anyway. */
function registeredUrl(id: string, sim: Simulator): string {
  const registered = sim.webhooks.receivers.list().find((receiver) => receiver.id === id)
  if (registered !== undefined) return registered.url
  throw invalid('field', 'receiver', id, 'the id of a receiver that GET /_sim/receivers lists')
}

/** Returns the deliveries after their first attempts, or earlier if the receivers take too long. */
async function afterFirstAttempt(
  deliveries: readonly RequestedDelivery[],
  sim: Simulator,
): Promise<DeliveryShape[]> {
  await sim.time.waitForReceivers(Promise.all(deliveries.map(({ attempted }) => attempted)))
  return deliveries.flatMap(({ id }) => sim.webhooks.log.get(id) ?? []).map(deliveryShape)
}

function noDelivery(id: string): Problem {
  return new Problem(
    'not_found',
    `There is no delivery ${id.slice(0, 100)}, or it was evicted. List the existing ones at /_sim/deliveries.`,
  )
}

const decoder = new TextDecoder()

/** A delivery that also shows what its attempts would have been without a webhook fault. */
async function withExpected(delivery: Delivery, sim: Simulator): Promise<DeliveryShape> {
  const shape = deliveryShape(delivery)
  if (delivery.rule === undefined || sim.mirrored !== undefined) return shape
  const expected = await Promise.all(delivery.attempts.map((attempt) => expectedOf(attempt, delivery, sim)))
  return { ...shape, attempts: shape.attempts.map((each, index) => ({ ...each, expected: expected[index] })) }
}

async function expectedOf(
  attempt: Attempt,
  delivery: Delivery,
  { dialects, scenario, webhooks: { receivers } }: Simulator,
): Promise<AttemptShape['expected']> {
  const { startedAt, flaw, sent } = attempt
  const { id, url, isOwn, payload, format: name, registration } = delivery
  if (flaw === undefined && sendsPayload(attempt, delivery)) return undefined
  const format = (await dialects.load(name)).webhooks(scenario)
  const keys = signingKeys(receivers.at(url, registration), format, startedAt)
  const { headers, body } = await signAttempt({ id, url, isOwn, body: payload, at: startedAt }, keys)
  return { headers: { ...without(sent.headers, headers), ...headers }, body: decoder.decode(body) }
}

/** The headers without those of other ones, whatever the case of their names. */
function without(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(others).map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))
}

/** A delivery with the exact bytes of every attempt; secrets in URLs are masked. */
export function deliveryShape(delivery: Delivery): DeliveryShape {
  return { ...commonFields(delivery), attempts: delivery.attempts.map(attemptShape) }
}

/** A delivery in a list, without the headers and bodies of its attempts, which may be large. */
function deliveryBriefShape(delivery: Delivery): DeliveryBriefShape {
  return { ...commonFields(delivery), attempts: delivery.attempts.map(attemptBriefShape) }
}

function commonFields(delivery: Delivery): Omit<DeliveryBriefShape, 'attempts'> {
  const { id, taskId, format, event, url, state, createdAt, nextAt, rule, copyOf } = delivery
  return {
    id,
    task_id: taskId,
    dialect: format,
    event,
    url: maskUrl(url),
    state,
    created_at: isoTime(createdAt),
    next_attempt_at: isoTime(nextAt),
    fault: rule,
    copy_of: copyOf,
  }
}

function attemptBriefShape(attempt: Attempt): AttemptBriefShape {
  const { number, startedAt, took, status, error, retryAt, flaw } = attempt
  return {
    number,
    started_at: isoTime(startedAt),
    took_ms: Math.round(took * 1_000) / 1_000,
    status,
    error,
    flaw,
    retry_at: isoTime(retryAt),
  }
}

function attemptShape(attempt: Attempt): AttemptShape {
  const { sent, answer } = attempt
  return {
    ...attemptBriefShape(attempt),
    request: {
      headers: sent.headers,
      body: new TextDecoder().decode(sent.body),
      body_base64: toBase64(sent.body),
    },
    response: answer && {
      status: answer.status,
      headers: maskedHeaders(answer.headers),
      body: answer.body,
      partial: answer.partial,
    },
  }
}

/** A redirect may repeat the URL of the receiver, including its secrets. */
function maskedHeaders(headers: Answer['headers']): Answer['headers'] {
  const location = headers?.['location']
  return location === undefined ? headers : { ...headers, location: maskUrl(location) }
}
