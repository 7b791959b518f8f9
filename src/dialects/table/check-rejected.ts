import { Problem } from '../../http/exchange/problem.js'
import type { RejectedForm } from './operation-table.js'
import { REQUEST_VALUES, type RequestScope } from './request-values.js'
import { compileTemplate, isTrue } from './template/compile.js'

/**
 * Returns a function that checks whether a service rejects a request.
 * @throws Problem 400 from the function, with the message of the first form that fits
 */
export function rejectionChecker(forms: readonly RejectedForm[]): (scope: RequestScope) => void {
  const compiled = forms.map(({ if: conditions, message, param }) => ({
    reads: [conditions].flat().map((each) => compileTemplate<RequestScope>(each, REQUEST_VALUES)),
    readMessage: compileTemplate<RequestScope>(message, REQUEST_VALUES),
    param,
  }))
  return (scope) => {
    for (const { reads, readMessage, param } of compiled) {
      if (!reads.every((read) => isTrue(read(scope)))) continue
      const text = String(readMessage(scope) ?? '')
      throw new Problem('invalid_request', text, param === undefined ? {} : { param })
    }
  }
}
