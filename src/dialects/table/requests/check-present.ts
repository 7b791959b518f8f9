import type { JsonObject } from '../../../engine/json.js'
import { Problem } from '../../../http/exchange/problem.js'
import type { CreateTable } from '../model/operation-table.js'

/**
 * Returns a function that checks which fields a body has.
 * @throws Problem 400 from the function, with the first field that is missing, or that the service rejects
 */
export function fieldChecker({
  require = [],
  fields,
  unknown_fields: unknown,
}: CreateTable): (body: JsonObject) => void {
  return (body) => {
    if (unknown === 'reject' && fields !== undefined) checkKnown(body, fields)
    checkPresent(body, require)
  }
}

/**
 * Checks that a body has some fields, and that they are not null.
 * @throws Problem 400 with the first field that is missing
 */
export function checkPresent(body: JsonObject, fields: readonly string[]): void {
  for (const field of fields) {
    if (Object.hasOwn(body, field) && body[field] !== null) continue
    throw new Problem('invalid_request', `The field \`${field}\` is missing.`, {
      param: field,
      cause: 'missing_field',
    })
  }
}

/**
 * Checks that a body has no other fields.
 * @throws Problem 400 with the first field that the service does not know
 */
function checkKnown(body: JsonObject, fields: readonly string[]): void {
  const unknown = Object.keys(body).find((field) => !fields.includes(field))
  if (unknown === undefined) return
  const message = `The field \`${unknown}\` is not known. Use only ${fields.join(', ')}.`
  throw new Problem('invalid_request', message, { param: unknown, cause: 'unknown_field' })
}
