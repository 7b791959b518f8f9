import { UsageError } from '../../engine/errors.js'
import { readJsonObject } from '../../http/json-body.js'
import type { Operation } from '../../http/operation.js'
import { Problem } from '../../http/problem.js'
import { json } from '../../http/reply.js'
import { checkTarget } from '../../http/webhook-target.js'
import { checkNotMasked } from './not-masked.js'
import { receiverShape } from './receiver-shape.js'

/** Lists who gets the webhooks of every task. */
export const listReceivers: Operation = {
  id: 'sim.receivers.list',
  authenticated: false,
  run: ({ sim }) => json(200, { data: sim.webhooks.receivers.list().map(receiverShape) }),
}

/** Registers a receiver, with the settings that a scenario could give it. */
export const addReceiver: Operation = {
  id: 'sim.receivers.add',
  authenticated: false,
  async run(exchange) {
    const body = await readJsonObject(exchange)
    const { readReceiver } = await import('../../scenario/language/build-scenario.js')
    const result = readReceiver(body)
    if ('flaw' in result) {
      const { path, message } = result.flaw
      throw new Problem('invalid_request', `The field \`${path}\`: ${message}.`, { param: path })
    }
    checkNotMasked('url', result.receiver.url)
    checkTarget(exchange.sim, 'url', result.receiver.url)
    try {
      return json(201, receiverShape(exchange.sim.webhooks.receivers.add(result.receiver)))
    } catch (error) {
      throw error instanceof UsageError ? new Problem('conflict', `${error.message}.`) : error
    }
  },
}

/** Takes a receiver off the list; what is on its way to it is still delivered. */
export const removeReceiver: Operation = {
  id: 'sim.receivers.remove',
  authenticated: false,
  run({ sim, params: [id = ''] }) {
    const removed = sim.webhooks.receivers.remove(id)
    if (removed === undefined) throw new Problem('not_found', `There is no receiver ${id.slice(0, 100)}.`)
    return json(200, receiverShape(removed))
  },
}
