import type { Call } from '../../call.js'
import { compileTemplate, isTrue } from '../template/compile.js'
import type { TextTemplate } from '../template/template.js'
import type { OperationPlace } from './operation-place.js'
import { REQUEST_VALUES, type RequestScope } from './request-values.js'

/** Returns a function that checks a condition on a request without a body. */
export function conditionReader(template: TextTemplate, place: OperationPlace): (call: Call) => boolean {
  const read = requestReader(template, place)
  return (call) => isTrue(read(call))
}

/** Reads a value of a request without a body. */
export function requestReader(template: TextTemplate | number, { parameters }: OperationPlace) {
  const read = compileTemplate<RequestScope>(template, REQUEST_VALUES)
  return (call: Call) => read({ call, body: {}, parameters })
}
