import { UsageError } from '../engine/errors.js'
import { isMaskedUrl, mask, maskUrl } from '../engine/mask.js'
import type { RegisteredReceiver, Registration } from '../engine/webhooks/receivers/receiver.js'
import { json } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import { checkTarget } from '../exchange/webhook-target.js'
import type { Simulator } from '../simulator/simulator.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { NewReceiver } from './schema/inputs.js'
import type { ReceiverShape } from './shapes.js'

export const listReceivers = controlOperation('sim.receivers.list', {
  tag: 'Webhooks',
  summary: 'List the receivers of the webhooks of all tasks',
  responses: { 200: { description: 'All receivers', json: 'ReceiverList' } },
  run: ({ sim }) => json(200, { data: sim.webhooks.receivers.list().map(receiverShape) }),
})

export const addReceiver = controlOperation('sim.receivers.add', {
  tag: 'Webhooks',
  summary: 'Register a receiver',
  body: {
    validate: false,
    schema: NewReceiver,
    examples: { 'failures only': { url: 'http://localhost:3000/webhooks', events: ['task.failed'] } },
  },
  responses: { 201: { description: 'The receiver', json: 'Receiver' } },
  errors: [...BODY_ERRORS, 'conflict'],
  async run({ sim }, { body }) {
    // A receiver in a scenario has the same settings, so the same schema checks both.
    const { readReceiver } = await import('../scenario/build-scenario.js')
    const result = readReceiver(body)
    if ('flaw' in result) {
      const { path, message } = result.flaw
      throw new Problem('invalid_request', `The field \`${path}\`: ${message}.`, { param: path })
    }
    const { receiver } = result
    checkUrl(receiver.url, sim)
    try {
      return json(201, receiverShape(sim.webhooks.receivers.add(receiver)))
    } catch (error) {
      throw error instanceof UsageError ? new Problem('conflict', `${error.message}.`) : error
    }
  },
})

export const removeReceiver = controlOperation('sim.receivers.remove', {
  tag: 'Webhooks',
  summary: 'Remove a receiver',
  description: 'Pending deliveries to it continue.',
  params: { id: 'The id of the receiver' },
  responses: { 200: { description: 'The removed receiver', json: 'Receiver' } },
  errors: ['not_found'],
  run({ sim, params: [id = ''] }) {
    const removed = sim.webhooks.receivers.remove(id)
    if (removed === undefined) throw new Problem('not_found', `There is no receiver ${id.slice(0, 100)}.`)
    return json(200, receiverShape(removed))
  },
})

/**
 * Rejects a URL, in the field `url`, that must not receive webhooks, or that was copied from a response of the control
 * API, which masks secrets.
 * @throws Problem 400
 */
export function checkUrl(url: string, sim: Simulator): void {
  if (isMaskedUrl(url)) {
    const message = `The field \`url\`: ${maskUrl(url).slice(0, 200)} has a mask in place of a secret. Give the whole URL, or name a registered receiver by its id.`
    throw new Problem('invalid_request', message, { param: 'url' })
  }
  checkTarget(sim, 'url', url)
}

/** A receiver as JSON; secrets are masked. */
export function receiverShape(receiver: RegisteredReceiver): ReceiverShape {
  const { id, url, source, off, secret, previousSecret, retries, timeout, ordered, registration } = receiver
  const events = registration === undefined ? receiver.events : undefined
  return {
    id,
    url: maskUrl(url),
    source,
    registration: registration && registrationShape(registration, receiver.events),
    active: off === undefined,
    off_because: off,
    secret: secret && mask(secret),
    previous_secret: previousSecret && mask(previousSecret),
    events: events as ReceiverShape['events'],
    retries_ms: retries,
    timeout_ms: timeout,
    ordered: ordered ?? false,
  }
}

function registrationShape(
  { owner, dialect, name }: Registration,
  events: readonly string[] | undefined,
): ReceiverShape['registration'] {
  return { dialect, key: mask(owner), name, events: events && [...events] }
}
