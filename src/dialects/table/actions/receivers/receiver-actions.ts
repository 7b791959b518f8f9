import type { JsonObject, JsonValue } from '../../../../engine/json.js'
import type {
  ClientReceiver,
  RegistrationChanges,
} from '../../../../engine/webhooks/receivers/registrations.js'
import type { Reply } from '../../../../exchange/exchange.js'
import { invalid, Problem } from '../../../../exchange/problem.js'
import { readTarget } from '../../../../exchange/webhook-target.js'
import type { Call } from '../../../call.js'
import type { ReceiverAction } from '../../../receiver-action.js'
import { replyFrom, replyWith } from '../../answers/reply-with.js'
import type {
  CreateReceiverOperation,
  DialectOperation,
  DialectTable,
  ListReceiversOperation,
  PingReceiverOperation,
  RotateSecretOperation,
  UpdateReceiverOperation,
} from '../../dialect-table.generated.js'
import { checkPresent } from '../../requests/check-present.js'
import { readItemQuery } from '../../requests/item-query.js'
import { baseOf, type OperationPlace } from '../../requests/operation-place.js'
import { fieldOfBody, REQUEST_VALUES, type RequestScope } from '../../requests/request-values.js'
import { idsOf } from '../../tasks/task-ids.js'
import { compileTemplate } from '../../template/compile.js'
import type { Template, TextTemplate } from '../../template/template.js'
import {
  RECEIVER_LIST_VALUES,
  RECEIVER_VALUES,
  type ReceiverListScope,
  type ReceiverScope,
} from './receiver-values.js'

/** An operation on receivers. */
export type ReceiverOperation = Extract<
  DialectOperation,
  { action: `${string}_receiver` | 'rotate_secret' | 'list_receivers' }
>

const encoder = new TextEncoder()

/** Registers, lists, changes, pings and deletes the receivers of a key as a table describes. */
export function receiverAction(
  table: DialectTable,
  operation: ReceiverOperation,
  place: OperationPlace,
): ReceiverAction {
  const index = place.parameters.indexOf('receiver_id')
  const id = ({ params }: Call) => params[index] ?? ''
  const { action, status = action === 'delete_receiver' ? 204 : 200, answer } = operation
  const encode = receiverEncoder(table, place, status, answer)
  switch (operation.action) {
    case 'create_receiver':
      return createReceiver(table, operation, place, encode)
    case 'retrieve_receiver':
      return { operation: 'webhooks.retrieve', id, encode }
    case 'delete_receiver':
      return { operation: 'webhooks.delete', id, encode }
    case 'update_receiver':
      return { operation: 'webhooks.update', id, decode: receiverReader(table, operation, place), encode }
    case 'ping_receiver':
      return { operation: 'webhooks.ping', id, message: pingWriter(operation, place), encode }
    case 'rotate_secret':
      return { operation: 'webhooks.rotate_secret', id, overlap: overlapReader(operation, place), encode }
    case 'list_receivers':
      return listReceivers(table, operation, place)
  }
}

type Encode = (receiver: ClientReceiver, call: Call) => Reply

function createReceiver(
  table: DialectTable,
  create: CreateReceiverOperation,
  place: OperationPlace,
  encode: Encode,
): ReceiverAction {
  const read = receiverReader(table, create, place)
  return {
    operation: 'webhooks.create',
    drawId: idsOf(create.ids ?? { characters: 'base62' }).draw,
    decode(body, call) {
      checkPresent(body, create.require ?? [])
      const { url, events, name } = read(body, call)
      if (url === undefined) throw new Problem('invalid_request', 'The URL of the receiver is missing.')
      return { url, events, name }
    },
    encode,
  }
}

function receiverEncoder(
  table: DialectTable,
  place: OperationPlace,
  status: number,
  answer: Template | undefined,
): Encode {
  const write = receiverWriter(table, place, answer)
  return (receiver, call) => {
    const reply = replyWith(status, () => JSON.stringify(write(receiver, call)))
    const { secret, previousSecret } = receiver
    return { ...reply, secrets: [secret, ...(previousSecret === undefined ? [] : [previousSecret])] }
  }
}

function receiverWriter(table: DialectTable, place: OperationPlace, answer?: Template) {
  const read = compileTemplate<ReceiverScope>(answer ?? table.receiver ?? DEFAULT_RECEIVER, RECEIVER_VALUES)
  return (receiver: ClientReceiver, call: Call) =>
    read({ receiver, now: call.sim.clock.now(), base: baseOf(call, place) }) ?? {}
}

const DEFAULT_RECEIVER = { id: '{{id}}', url: '{{url}}' }

function pingWriter({ event, body }: PingReceiverOperation, place: OperationPlace) {
  const read = compileTemplate<ReceiverScope>(body, RECEIVER_VALUES)
  return (receiver: ClientReceiver, call: Call) => {
    const value = read({ receiver, now: call.sim.clock.now(), base: baseOf(call, place) })
    return { event, payload: encoder.encode(JSON.stringify(value ?? {})) }
  }
}

function overlapReader({ overlap = 0, at_once_if: condition }: RotateSecretOperation, place: OperationPlace) {
  const { parameters } = place
  const read = compileTemplate<RequestScope>(condition ?? null, REQUEST_VALUES)
  return (body: JsonObject, call: Call) => (read({ body, call, parameters }) === true ? 0 : overlap)
}

function listReceivers(
  table: DialectTable,
  list: ListReceiversOperation,
  place: OperationPlace,
): ReceiverAction {
  const write = receiverWriter(table, place)
  const read = compileTemplate<ReceiverListScope>(list.answer, RECEIVER_LIST_VALUES)
  return {
    operation: 'webhooks.list',
    decode: (call) => readItemQuery(call, list),
    encode({ items, nextCursor }, call) {
      const receivers = items.map((receiver) => write(receiver, call))
      const secrets = items.map(({ secret }) => secret)
      return {
        ...replyFrom(list.status ?? 200, read, { receivers, nextCursor, base: baseOf(call, place) }),
        secrets,
      }
    },
  }
}

const LONGEST_NAME = 200

/** Reads what a request says about a receiver. */
function receiverReader(
  table: DialectTable,
  fields: CreateReceiverOperation | UpdateReceiverOperation,
  { parameters }: OperationPlace,
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
