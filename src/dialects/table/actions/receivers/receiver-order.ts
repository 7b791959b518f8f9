import type { JsonObject, JsonValue } from '../../../../engine/json.js'
import type { RegistrationChanges } from '../../../../engine/webhooks/receivers/registrations.js'
import { invalid } from '../../../../http/exchange/problem.js'
import { readTarget } from '../../../../http/exchange/webhook-target.js'
import type { Call } from '../../../call.js'
import type { DialectTable } from '../../model/dialect-table.js'
import type { CreateReceiverTable, UpdateReceiverTable } from '../../model/receiver-table.js'
import type { OperationPlace } from '../../requests/operation-place.js'
import { fieldOfBody, REQUEST_VALUES, type RequestScope } from '../../requests/request-values.js'
import { compileTemplate } from '../../template/compile.js'
import type { TextTemplate } from '../../template/template.js'

const LONGEST_NAME = 200

/** Reads what a request says about a receiver. */
export function receiverReader(
  table: DialectTable,
  fields: CreateReceiverTable | UpdateReceiverTable,
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
