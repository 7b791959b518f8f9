import type { JsonObject } from '../../core/json.js'
import { readJsonObject } from '../json-body.js'
import type { Exchange } from '../operation.js'
import { Problem } from '../problem.js'

/** The JSON object in the body; an empty one where there is no body, as with a plain `curl -X POST`. */
export function readOptionalJson(exchange: Exchange): Promise<JsonObject> {
  const isPlain = exchange.request.header('content-type') === undefined
  return isPlain ? Promise.resolve({}) : readJsonObject(exchange)
}

/**
 * Makes sure that nothing was asked for that would be passed over.
 * @throws Problem 400 which names the first field that is none of those that are known
 */
export function checkFields(body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).find((field) => !known.includes(field))
  if (unknown === undefined) return
  throw new Problem(
    'invalid_request',
    `The field \`${unknown.slice(0, 100)}\` is none of ${known.join(', ')}.`,
    { param: unknown.slice(0, 100) },
  )
}
