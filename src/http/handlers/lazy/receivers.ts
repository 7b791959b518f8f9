import type { Call } from '../../../dialects/call.js'
import { replyFrom, replyWith } from '../../../dialects/table/answers/task-answer.js'
import type {
  CreateReceiverOperation,
  DialectTable,
  ListReceiversOperation,
  PingReceiverOperation,
  RotateSecretOperation,
  UpdateReceiverOperation,
} from '../../../dialects/table/dialect-table.generated.js'
import type { ReceiverOperation } from '../../../dialects/table/operation-names.js'
import {
  type ItemPageScope,
  RECEIVER_LIST_VALUES,
  RECEIVER_VALUES,
  type ReceiverScope,
} from '../../../dialects/table/operation-values.js'
import { checkPresent } from '../../../dialects/table/requests/check-present.js'
import { baseOf, type Endpoint } from '../../../dialects/table/requests/endpoint.js'
import {
  fieldOfBody,
  REQUEST_VALUES,
  type RequestScope,
} from '../../../dialects/table/requests/request-values.js'
import { idsOf } from '../../../dialects/table/tasks/task-ids.js'
import { compileTemplate, isTrue } from '../../../dialects/table/template/compile.js'
import type { Template, TextTemplate } from '../../../dialects/table/template/template.js'
import { UsageError } from '../../../engine/errors.js'
import type { JsonObject, JsonValue } from '../../../engine/json.js'
import type {
  ClientReceiver,
  RegistrationChanges,
  Registrations,
} from '../../../engine/webhooks/receivers/registrations.js'
import type { Reply } from '../../../exchange/exchange.js'
import { invalid, Problem } from '../../../exchange/problem.js'
import { readTarget } from '../../../exchange/webhook-target.js'
import { readPage } from '../../item-page.js'
import { readJsonObject, readOptionalJsonObject } from '../../json-body.js'
import type { ServiceExchange, ServiceHandler } from '../../operation.js'

/** Registers, lists, changes, pings and deletes the receivers of the webhooks about the tasks of an API key. */
export function aboutReceivers(operation: ReceiverOperation, endpoint: Endpoint): ServiceHandler {
  switch (operation.action) {
    case 'list_receivers':
      return listReceivers(operation, endpoint)
    case 'create_receiver':
      return createReceiver(operation, endpoint)
    case 'retrieve_receiver':
      return withReceiver(operation, endpoint, (receiver) => receiver)
    case 'delete_receiver':
      return withReceiver(operation, endpoint, (receiver, registrations) => {
        registrations.delete(receiver)
        return receiver
      })
    case 'update_receiver':
      return updateReceiver(operation, endpoint)
    case 'ping_receiver':
      return pingReceiver(operation, endpoint)
    case 'rotate_secret':
      return rotateSecret(operation, endpoint)
  }
}

/** Lists the receivers, newest first. */
function listReceivers(list: ListReceiversOperation, endpoint: Endpoint): ServiceHandler {
  const write = receiverWriter(endpoint)
  const read = compileTemplate<ItemPageScope>(list.answer, RECEIVER_LIST_VALUES)
  return async (exchange) => {
    const registrations = await exchange.sim.registrations()
    const { items, nextCursor } = readPage(registrations.list(clientOf(exchange)), exchange, list)
    const page = {
      items: items.map((receiver) => write(receiver, exchange)),
      nextCursor,
      base: baseOf(exchange, endpoint),
    }
    return { ...replyFrom(list.status ?? 200, read, page), secrets: items.map(({ secret }) => secret) }
  }
}

function createReceiver(create: CreateReceiverOperation, endpoint: Endpoint): ServiceHandler {
  const read = changesReader(create, endpoint)
  const { draw } = idsOf(create.ids ?? { characters: 'base62' })
  const reply = receiverReply(create, endpoint)
  return async (exchange) => {
    const registrations = await exchange.sim.registrations()
    const body = await readJsonObject(exchange)
    checkPresent(body, create.require ?? [])
    const { url, events, name } = read(body, exchange)
    if (url === undefined) throw new Problem('invalid_request', 'The URL of the receiver is missing.')
    const order = { url, events, name }
    return reply(
      within(() => registrations.create(clientOf(exchange), order, draw)),
      exchange,
    )
  }
}

/** @throws Problem 409 if the key has too many receivers */
function within<Result>(register: () => Result): Result {
  try {
    return register()
  } catch (error) {
    throw error instanceof UsageError ? new Problem('conflict', `${error.message}.`) : error
  }
}

function updateReceiver(update: UpdateReceiverOperation, endpoint: Endpoint): ServiceHandler {
  const read = changesReader(update, endpoint)
  return withReceiver(update, endpoint, async (receiver, registrations, exchange) =>
    registrations.update(receiver, read(await readJsonObject(exchange), exchange)),
  )
}

const encoder = new TextEncoder()

/** Sends a message without a task to the receiver. */
function pingReceiver(ping: PingReceiverOperation, endpoint: Endpoint): ServiceHandler {
  const read = compileTemplate<ReceiverScope>(ping.body, RECEIVER_VALUES)
  return withReceiver(ping, endpoint, (receiver, _registrations, exchange) => {
    const { sim, dialect } = exchange
    const body = read({ receiver, now: sim.clock.now(), base: baseOf(exchange, endpoint) }) ?? {}
    const message = { event: ping.event, payload: encoder.encode(JSON.stringify(body)) }
    sim.webhooks.ping(receiver, message, dialect.name)
    return receiver
  })
}

/** Gives the receiver a new secret. For a while, webhooks are also signed with the previous one. */
function rotateSecret(rotate: RotateSecretOperation, endpoint: Endpoint): ServiceHandler {
  const { overlap = 0, at_once_if: condition = null } = rotate
  const { parameters } = endpoint
  const isAtOnce = compileTemplate<RequestScope>(condition, REQUEST_VALUES)
  return withReceiver(rotate, endpoint, async (receiver, registrations, call) => {
    const body = await readOptionalJsonObject(call)
    return registrations.rotate(receiver, isTrue(isAtOnce({ body, call, parameters })) ? 0 : overlap)
  })
}

/** Does something to a receiver. @returns the receiver after the change */
type Change = (
  receiver: ClientReceiver,
  registrations: Registrations,
  exchange: ServiceExchange,
) => ClientReceiver | Promise<ClientReceiver>

/** Changes the receiver in the path, and answers with it. */
function withReceiver(
  operation: Exclude<ReceiverOperation, ListReceiversOperation>,
  endpoint: Endpoint,
  change: Change,
): ServiceHandler {
  const index = endpoint.parameters.indexOf('receiver_id')
  const reply = receiverReply(operation, endpoint)
  return async (exchange) => {
    const registrations = await exchange.sim.registrations()
    const id = exchange.params[index] ?? ''
    const receiver = registrations.get(id, clientOf(exchange))
    if (receiver === undefined) throw missing(id)
    return reply(await change(receiver, registrations, exchange), exchange)
  }
}

function clientOf({ key, dialect }: ServiceExchange) {
  return { owner: key, dialect: dialect.name }
}

function missing(id: string): Problem {
  const message = `There is no webhook ${id.slice(0, 100)} that this API key could see: it was deleted, or never created.`
  return new Problem('not_found', message, { cause: 'receiver_not_found' })
}

function receiverReply(
  { action, answer, status = action === 'delete_receiver' ? 204 : 200 }: ReceiverOperation,
  endpoint: Endpoint,
): (receiver: ClientReceiver, call: Call) => Reply {
  const write = receiverWriter(endpoint, answer)
  return (receiver, call) => {
    const { secret, previousSecret } = receiver
    const secrets = [secret, ...(previousSecret === undefined ? [] : [previousSecret])]
    return { ...replyWith(status, () => JSON.stringify(write(receiver, call))), secrets }
  }
}

const DEFAULT_RECEIVER = { id: '{{id}}', url: '{{url}}' }

function receiverWriter(endpoint: Endpoint, answer: Template = endpoint.table.receiver ?? DEFAULT_RECEIVER) {
  const read = compileTemplate<ReceiverScope>(answer, RECEIVER_VALUES)
  return (receiver: ClientReceiver, call: Call): JsonValue =>
    read({ receiver, now: call.sim.clock.now(), base: baseOf(call, endpoint) }) ?? {}
}

const LONGEST_NAME = 200

/** Reads what a request says about a receiver. */
function changesReader(
  fields: CreateReceiverOperation | UpdateReceiverOperation,
  { parameters, table }: Endpoint,
): (body: JsonObject, call: Call) => RegistrationChanges {
  const { url = '{{body.url}}', events, name } = fields
  const enabled = 'enabled' in fields ? fields.enabled : undefined
  const [readUrl, readEvents, readName, readEnabled] = [url, events, name, enabled].map(reader)
  const words = eventNames(table)
  return (body, call) => {
    const scope = { body, call, parameters }
    const isEnabled = readEnabled?.(scope)
    return {
      url: readTarget(call.sim, fieldOfBody(url), readUrl?.(scope)),
      events: checkedEvents(words, fieldOfBody(events ?? ''), readEvents?.(scope)),
      name: readName?.(scope)?.toString().slice(0, LONGEST_NAME),
      isEnabled: typeof isEnabled === 'boolean' ? isEnabled : undefined,
    }
  }
}

function reader(template: TextTemplate | undefined) {
  return template === undefined ? undefined : compileTemplate<RequestScope>(template, REQUEST_VALUES)
}

/** The events that a receiver can ask for: those that the service sends here, and those that it sends elsewhere. */
function eventNames({ webhook }: DialectTable): readonly string[] {
  const sent = Object.values(webhook?.events ?? {}).flatMap((event) => event?.name ?? [])
  return [...new Set([...sent, ...(webhook?.other_events ?? [])])]
}

function checkedEvents(
  words: readonly string[],
  field: string,
  value: JsonValue | undefined,
): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.every((word) => typeof word === 'string' && words.includes(word)))
    return [...new Set(value.map(String))]
  throw invalid('field', field, value, `a list of the words ${words.join(', ')}`)
}
