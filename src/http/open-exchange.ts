import type { Simulator } from '../simulator.js'
import { type ApiRequest, isOfControl } from './exchange.js'
import type { Exchange, Operation } from './operation.js'

/** The exchange of a request that has just arrived. */
export function openExchange(
  sim: Simulator,
  request: ApiRequest,
  operation: Operation | undefined,
  params: readonly string[],
  namedTask?: string,
): Exchange {
  return {
    id: sim.nextRequestId(),
    at: sim.clock.now(),
    sim,
    request,
    isControl: isOfControl(request.path),
    key: '',
    operation,
    params,
    namedTask,
    taskId: undefined,
    transfer: undefined,
    json: undefined,
    survey: undefined,
    directive: undefined,
    fault: undefined,
    note: {
      hasAuthorization: request.header('authorization') !== undefined,
      observed: undefined,
      responseBody: undefined,
    },
  }
}
