import { invalid } from '../../../../http/exchange/problem.js'
import type { Call } from '../../../call.js'
import type { OperationPlace } from '../../requests/operation-place.js'
import { requestReader } from '../../requests/request-reader.js'
import type { TextTemplate } from '../../template/template.js'

const PARAMETER = /\{\{\s*(?:query|header)\.([\w-]+)/

/**
 * Returns a function that reads the sequence number of the last event that a client has: -1 if it has none.
 * @throws Problem 400 from the function, if the request has another value
 */
export function resumptionReader(
  template: TextTemplate | undefined,
  place: OperationPlace,
): (call: Call) => number {
  if (template === undefined) return () => -1
  const read = requestReader(template, place)
  const parameter = PARAMETER.exec(template)?.[1] ?? ''
  return (call) => {
    const value = read(call)
    if (value === undefined || value === null) return -1
    if (/^\d{1,15}$/.test(String(value))) return Number(value)
    throw invalid('query parameter', parameter, value, 'the number of an event, such as 12')
  }
}
