import type { JsonObject, JsonValue } from '../../../engine/json.js'
import { headerValue, OF_BODY, whyNotSettable } from '../../../engine/requests/settable-headers.js'
import { invalid, Problem } from '../../../http/exchange/problem.js'
import type { DialectTable } from '../model/dialect-table.js'
import type { CreateTable } from '../model/operation-table.js'
import { fieldOfBody } from '../requests/request-values.js'
import { compileTemplate, type Values } from '../template/compile.js'

/** What is known of a task before it is created. */
interface OrderScope {
  readonly kept: JsonValue | undefined
  readonly input: JsonValue | undefined
}

const ORDER_VALUES = { kept: ({ kept }) => kept, input: ({ input }) => input } satisfies Values<OrderScope>

const LONGEST_SHOWN = 100

/**
 * Returns a function that checks the headers of webhooks whose names a create request chooses.
 * @throws Problem 400 from the function, if a webhook may not have such a header
 */
export function webhookHeaderChecker(
  { webhook }: DialectTable,
  { keep }: Pick<CreateTable, 'keep'>,
): (order: OrderScope) => void {
  const chosen = Object.entries(webhook?.headers ?? {}).filter(([name]) => name.includes('{{'))
  const headers = chosen.map(([name, value]) => ({
    name: { read: compileTemplate<OrderScope>(name, ORDER_VALUES), field: fieldOf(name, keep) },
    value: { read: compileTemplate<OrderScope>(value, ORDER_VALUES), field: fieldOf(value, keep) },
  }))
  return (order) => {
    for (const { name, value } of headers) {
      checkName(name.read(order), name.field)
      checkValue(value.read(order), value.field)
    }
  }
}

/** The field of the body that decides a template. */
function fieldOf(template: JsonValue, keep: JsonObject | undefined): string {
  const [, source, name = ''] = /\{\{\s*(kept|input)\.(\w+)/.exec(JSON.stringify(template)) ?? []
  return (source === 'kept' ? fieldOfBody(keep?.[name] ?? '') : name) || 'webhook'
}

function checkName(name: JsonValue | undefined, param: string): void {
  if (name === undefined || name === null) return
  if (typeof name !== 'string') throw invalid('field', param, name, 'the name of a header')
  const reason = whyNotSettable(name, OF_BODY)
  if (reason === undefined) return
  const shown = JSON.stringify(name.slice(0, LONGEST_SHOWN))
  throw new Problem('invalid_request', `The field \`${param}\`: got ${shown}; ${reason}.`, { param })
}

/** The message does not contain the value, which may be a secret. */
function checkValue(value: JsonValue | undefined, param: string): void {
  if (typeof value !== 'string' || headerValue(value) === value) return
  const message = `The field \`${param}\` must be the value of a header: at most 8,000 characters of printable ASCII. Encode the value, for example with encodeURIComponent.`
  throw new Problem('invalid_request', message, { param })
}
