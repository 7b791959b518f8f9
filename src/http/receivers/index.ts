import { pageOf } from '../../dialects/item-page.js'
import type { ReceiverAction } from '../../dialects/receiver-action.js'
import { UsageError } from '../../engine/errors.js'
import type { ClientReceiver, Registrations } from '../../engine/webhooks/receivers/registrations.js'
import type { Reply } from '../../exchange/exchange.js'
import { Problem, unknownCursor } from '../../exchange/problem.js'
import { readJsonObject, readOptionalJsonObject } from '../json-body.js'
import type { ServiceExchange } from '../operation.js'

/** Registers a receiver of the webhooks about the tasks of an API key, or answers a request about such receivers. */
export async function answerAboutReceivers(
  exchange: ServiceExchange,
  action: ReceiverAction,
): Promise<Reply> {
  const { sim, key: owner, dialect } = exchange
  const registrations = await sim.registrations()
  const client = { owner, dialect: dialect.name }
  if (action.operation === 'webhooks.list') {
    const query = action.decode(exchange)
    const page = pageOf(registrations.list(client), query, ({ id }) => id)
    if (page === undefined) throw unknownCursor(query.after)
    return action.encode(page, exchange)
  }
  if (action.operation === 'webhooks.create') {
    const order = action.decode(await readJsonObject(exchange), exchange)
    const created = within(() => registrations.create(client, order, action.drawId))
    return action.encode(created, exchange)
  }
  const id = action.id(exchange)
  const receiver = registrations.get(id, client)
  if (receiver === undefined) throw missing(id)
  return action.encode(await changed(exchange, action, registrations, receiver), exchange)
}

type OneAction = Exclude<ReceiverAction, { operation: 'webhooks.list' | 'webhooks.create' }>

/** The receiver after the change that a request asks for. */
async function changed(
  exchange: ServiceExchange,
  action: OneAction,
  registrations: Registrations,
  receiver: ClientReceiver,
): Promise<ClientReceiver> {
  switch (action.operation) {
    case 'webhooks.retrieve':
      return receiver
    case 'webhooks.delete':
      registrations.delete(receiver)
      return receiver
    case 'webhooks.update':
      return registrations.update(receiver, action.decode(await readJsonObject(exchange), exchange))
    case 'webhooks.rotate_secret':
      return registrations.rotate(receiver, action.overlap(await readOptionalJsonObject(exchange), exchange))
    case 'webhooks.ping':
      exchange.sim.webhooks.ping(receiver, action.message(receiver, exchange), exchange.dialect.name)
      return receiver
  }
}

function within<Result>(register: () => Result): Result {
  try {
    return register()
  } catch (error) {
    throw error instanceof UsageError ? new Problem('conflict', `${error.message}.`) : error
  }
}

function missing(id: string): Problem {
  const message = `There is no webhook ${id.slice(0, 100)} that this API key could see: it was deleted, or never created.`
  return new Problem('not_found', message, { cause: 'receiver_not_found' })
}
