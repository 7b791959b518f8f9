import type { JsonObject } from '../engine/json.js'
import type { Random } from '../engine/random.js'
import type { Ping } from '../engine/webhooks/dispatcher.js'
import type {
  ClientReceiver,
  RegistrationChanges,
  RegistrationOrder,
} from '../engine/webhooks/receivers/registrations.js'
import type { Reply } from '../exchange/exchange.js'
import type { Call } from './call.js'
import type { ItemPage, ItemQuery } from './item-page.js'

/** An operation on the receivers that an API key has registered. */
export type ReceiverAction =
  | CreateReceiver
  | OneReceiver
  | UpdateReceiver
  | PingReceiver
  | RotateSecret
  | ListReceivers

/** Registers a receiver. */
interface CreateReceiver {
  readonly operation: 'webhooks.create'
  /** @throws Problem if the service would reject the request */
  decode(body: JsonObject, call: Call): RegistrationOrder
  /** Draws an id in the form of the service. */
  drawId(random: Random): string
  encode(receiver: ClientReceiver, call: Call): Reply
}

interface AboutOne {
  /** Reads the id of the receiver. */
  id(call: Call): string
  encode(receiver: ClientReceiver, call: Call): Reply
}

/** Answers with the receiver in the path, or deletes it. */
interface OneReceiver extends AboutOne {
  readonly operation: 'webhooks.retrieve' | 'webhooks.delete'
}

/** Changes the receiver in the path. */
interface UpdateReceiver extends AboutOne {
  readonly operation: 'webhooks.update'
  /** @throws Problem if the service would reject the request */
  decode(body: JsonObject, call: Call): RegistrationChanges
}

/** Sends a message without a task to the receiver in the path. */
interface PingReceiver extends AboutOne {
  readonly operation: 'webhooks.ping'
  message(receiver: ClientReceiver, call: Call): Ping
}

/** Gives the receiver in the path a new secret. */
interface RotateSecret extends AboutOne {
  readonly operation: 'webhooks.rotate_secret'
  /** For how many milliseconds webhooks are also signed with the previous secret. */
  overlap(body: JsonObject, call: Call): number
}

/** Lists the receivers of the API key, newest first. */
interface ListReceivers {
  readonly operation: 'webhooks.list'
  /** @throws Problem if the service would reject the request */
  decode(call: Call): ItemQuery
  encode(page: ItemPage<ClientReceiver>, call: Call): Reply
}
