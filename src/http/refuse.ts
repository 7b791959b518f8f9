import { stopwatch } from '../engine/clock/system-clock.js'
import type { Simulator } from '../simulator.js'
import { type ApiRequest, isOfControl, type Reply } from './exchange/exchange.js'
import type { Problem } from './exchange/problem.js'
import { rejection } from './exchange/reply.js'

/**
 * Rejects a request before it reaches the simulator. The log contains the request; the journal, the metrics and the
 * findings do not.
 * @param begin the reading of the stopwatch when the request arrived
 */
export function refuse(
  sim: Simulator,
  { method, path }: Pick<ApiRequest, 'method' | 'path'>,
  problem: Problem,
  begin = stopwatch(),
): Reply {
  const id = sim.nextRequestId()
  const reply = rejection(problem, id, isOfControl(path) ? 'envelope' : sim.scenario.api.errors)
  reply.headers['x-request-id'] = id
  const { status, message } = problem
  sim.emit('request.refused', {
    id,
    at: sim.clock.now(),
    method,
    path,
    status,
    reason: message,
    took: stopwatch() - begin,
  })
  return reply
}
