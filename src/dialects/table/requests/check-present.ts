import type { JsonObject } from '../../../engine/json.js'
import { invalid, Problem } from '../../../exchange/problem.js'
import type { CreateOperation } from '../dialect-table.generated.js'

type RequiredFields = NonNullable<CreateOperation['require']>

/** The names of the fields that a body must have. */
export function namesOfRequired(require: RequiredFields): readonly string[] {
  return isList(require) ? require : Object.keys(require)
}

function isList(require: RequiredFields): require is readonly string[] {
  return Array.isArray(require)
}

/**
 * Returns a function that checks which fields a body has.
 * @throws Problem 400 from the function, with the first field that is missing, or that the service rejects
 */
export function fieldChecker({
  require = [],
  fields,
  unknown_fields: unknown,
}: CreateOperation): (body: JsonObject) => void {
  const required = isList(require) ? require.map((field) => [field] as const) : Object.entries(require)
  return (body) => {
    if (unknown === 'reject' && fields !== undefined) checkKnown(body, fields)
    for (const [field, form] of required) checkGiven(body, field, form)
  }
}

/**
 * Checks that a body has some fields, and that they are not null.
 * @throws Problem 400 with the first field that is missing
 */
export function checkPresent(body: JsonObject, fields: readonly string[]): void {
  for (const field of fields) checkGiven(body, field)
}

/** @param form what to give in the field, for the message */
function checkGiven(body: JsonObject, field: string, form?: string): void {
  const isMissing = !Object.hasOwn(body, field)
  if (!isMissing && body[field] !== null) return
  if (!isMissing && form !== undefined) throw invalid('field', field, null, form)
  const message = `The field \`${field}\` is missing${form === undefined ? '' : `: give ${form}`}.`
  throw new Problem('invalid_request', message, { param: field, cause: 'missing_field' })
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
