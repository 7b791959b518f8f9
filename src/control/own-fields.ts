import { DURATION_FORM, readDuration } from '../engine/clock/durations.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import { readOptionalJsonObject } from '../http/json-body.js'
import type { Exchange } from '../http/operation.js'
import { invalid, Problem } from '../http/problem.js'

const LONGEST_NAME = 200
const LONGEST_SHOWN = 100

/**
 * Rejects a field that the operation does not have, so that no request is partly ignored.
 * @throws Problem 400 that names the first unknown field
 */
export function checkFields(body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).find((field) => !known.includes(field))
  if (unknown !== undefined) throw unknownOne('field', unknown, known)
}

/**
 * Rejects a body with fields where the operation takes none.
 * @throws Problem 400 that names the first field
 */
export async function checkNoFields(exchange: Exchange): Promise<void> {
  checkFields(await readOptionalJsonObject(exchange), [])
}

/**
 * The query of a request. The control token may always be in it.
 * @throws Problem 400 that names the first unknown parameter
 */
export function queryOf({ request }: Exchange, known: readonly string[]): URLSearchParams {
  const query = new URLSearchParams(request.query)
  const unknown = [...query.keys()].find((name) => name !== 'token' && !known.includes(name))
  if (unknown !== undefined) throw unknownOne('query parameter', unknown, known)
  return query
}

/** @throws Problem 400 where the value is no duration above zero */
export function positiveDuration(field: string, value: JsonValue): number {
  const duration = typeof value === 'string' ? readDuration(value) : undefined
  if (duration !== undefined && duration > 0) return duration
  throw invalid('field', field, value, `${DURATION_FORM}, above 0s`)
}

/** @throws Problem 400 where the value is no text of a reasonable length */
export function nameIn(field: string, value: JsonValue | undefined): string {
  if (typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME) return value
  throw invalid('field', field, value, `a string of 1 to ${LONGEST_NAME} characters`)
}

function unknownOne(what: 'field' | 'query parameter', name: string, known: readonly string[]): Problem {
  const param = name.slice(0, LONGEST_SHOWN)
  const choice = known.length === 0 ? `there is no ${what} here` : `it is none of ${known.join(', ')}`
  return new Problem('invalid_request', `Unknown ${what} \`${param}\`: ${choice}.`, { param })
}
