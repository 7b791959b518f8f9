import type { JsonObject, JsonValue } from '../../../engine/json.js'
import { headerValue, OF_BODY, whyNotSettable } from '../../../engine/requests/headers.js'
import { invalid, Problem } from '../../../exchange/problem.js'
import type { CreateOperation, DialectTable } from '../dialect-table.generated.js'
import { fieldOfBody } from '../requests/request-values.js'
import { compileTemplate, type Values } from '../template/compile.js'

/** The values of a create request that name a header. */
interface HeaderScope {
  readonly kept: JsonValue | undefined
  readonly input: JsonValue | undefined
}

const HEADER_VALUES = { kept: ({ kept }) => kept, input: ({ input }) => input } satisfies Values<HeaderScope>
const LONGEST_SHOWN = 100

/**
 * Returns a function that checks the headers of webhooks whose names a create request chooses.
 * @returns undefined if it chooses none
 * @throws Problem 400 from the function, if a webhook may not have such a header
 */
export function chosenHeaderChecker(
  { webhook }: DialectTable,
  { keep }: Pick<CreateOperation, 'keep'>,
): ((values: HeaderScope) => void) | undefined {
  const chosen = Object.entries(webhook?.headers ?? {}).filter(([name]) => name.includes('{{'))
  if (chosen.length === 0) return undefined
  const headers = chosen.map(([name, value]) => ({
    name: { read: compileTemplate<HeaderScope>(name, HEADER_VALUES), field: fieldOf(name, keep) },
    value: { read: compileTemplate<HeaderScope>(value, HEADER_VALUES), field: fieldOf(value, keep) },
  }))
  return (values) => {
    for (const { name, value } of headers) {
      checkName(name.read(values), name.field)
      checkValue(value.read(values), value.field)
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
