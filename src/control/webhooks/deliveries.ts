import { DELIVERY_STATES, type Delivery } from '../../engine/webhooks/delivery.js'
import type { RequestedDelivery } from '../../engine/webhooks/dispatcher.js'
import { httpUrl } from '../../engine/webhooks/http-url.js'
import type { Exchange, Operation } from '../../http/operation.js'
import { limitIn, MOST_LISTED, wordIn } from '../../http/page-query.js'
import { pageReply } from '../../http/page-reply.js'
import { invalid, Problem } from '../../http/problem.js'
import { json } from '../../http/reply.js'
import { checkNoFields, queryOf } from '../own-fields.js'
import type { DeliveryShape } from '../shapes.js'
import { deliveryShape } from './delivery-shape.js'

/** Gives a page of deliveries, newest first, and how many there are in each state. */
export const listDeliveries: Operation = {
  id: 'sim.deliveries.list',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    const query = queryOf(exchange, ['task', 'receiver', 'state', 'after', 'limit'])
    const after = query.get('after') ?? undefined
    const page = sim.webhooks.log.list({
      taskId: query.get('task') ?? undefined,
      url: receiverIn(query, sim),
      state: wordIn(query, 'state', DELIVERY_STATES),
      after,
      limit: limitIn(query, MOST_LISTED),
    })
    if (page === undefined)
      throw invalid('query parameter', 'after', after, 'the `next_cursor` of a page that you got')
    const source = {
      items: page.deliveries,
      hasMore: page.hasMore,
      textOf: (delivery: Delivery) => JSON.stringify(deliveryShape(delivery)),
      cursorOf: ({ id }: Delivery) => id,
    }
    return (await pageReply(source, { counts: sim.webhooks.log.counts })).reply
  },
}

/** A receiver may be named by its id or its URL. */
function receiverIn(query: URLSearchParams, sim: Exchange['sim']): string | undefined {
  const receiver = query.get('receiver') ?? undefined
  if (receiver === undefined) return undefined
  const known = sim.webhooks.receivers.list().find(({ id }) => id === receiver)
  return known?.url ?? httpUrl(receiver) ?? receiver
}

/** Gives one delivery. */
export const readDelivery: Operation = {
  id: 'sim.deliveries.read',
  authenticated: false,
  run({ sim, params: [id = ''] }) {
    const delivery = sim.webhooks.log.get(id)
    if (delivery === undefined) throw noDelivery(id)
    return json(200, deliveryShape(delivery))
  },
}

/** Sends what a delivery holds once more; answers with the new delivery. */
export const redeliver: Operation = {
  id: 'sim.deliveries.redeliver',
  authenticated: false,
  async run(exchange) {
    await checkNoFields(exchange)
    const {
      sim,
      params: [id = ''],
    } = exchange
    const sending = sim.webhooks.redeliver(id)
    if (sending === undefined) throw noDelivery(id)
    const [delivery] = await sent([sending], sim)
    return json(200, delivery ?? {})
  },
}

/** The deliveries that were asked for, after their first attempts where the receivers do not take too long. */
export async function sent(
  sendings: readonly RequestedDelivery[],
  sim: Exchange['sim'],
): Promise<DeliveryShape[]> {
  await sim.patiently(Promise.all(sendings.map(({ attempted }) => attempted)))
  return sendings.flatMap(({ id }) => sim.webhooks.log.get(id) ?? []).map(deliveryShape)
}

function noDelivery(id: string): Problem {
  return new Problem(
    'not_found',
    `There is no delivery ${id.slice(0, 100)}, or it is too old to be remembered. List them at /_sim/deliveries.`,
  )
}
