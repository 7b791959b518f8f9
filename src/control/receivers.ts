import { UsageError } from '../engine/errors.js'
import { Problem } from '../http/exchange/problem.js'
import { json } from '../http/exchange/reply.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { NewReceiver } from './schema/bodies.js'
import { checkUrl } from './webhooks/check-url.js'
import { receiverShape } from './webhooks/receiver-shape.js'

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
    const { readReceiver } = await import('../scenario/language/build-scenario.js')
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
