import type { JsonObject } from '../../engine/json.js'
import { Problem } from '../../http/exchange/problem.js'

/**
 * Checks that a body has some fields, and that they are not null.
 * @throws Problem 400 with the first field that is missing
 */
export function checkPresent(body: JsonObject, fields: readonly string[]): void {
  for (const field of fields) {
    if (Object.hasOwn(body, field) && body[field] !== null) continue
    throw new Problem('invalid_request', `The field \`${field}\` is missing.`, { param: field })
  }
}
