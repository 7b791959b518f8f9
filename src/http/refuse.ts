import type { Dialect } from '../dialects/dialect.js'
import { stopwatch } from '../engine/clock/system-clock.js'
import type { ApiRequest, Reply } from '../exchange/exchange.js'
import type { Problem } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import { rejectionWithId } from './rejection-reply.js'

/**
 * Rejects a request before it reaches the simulator. The log contains the request; the journal, the metrics and the
 * findings do not.
 * @param dialect the wire format of the path; undefined in the control API
 * @param begin the reading of the stopwatch when the request arrived
 */
export function refusal(
  sim: Simulator,
  { method, path }: Pick<ApiRequest, 'method' | 'path'>,
  problem: Problem,
  dialect: Dialect | undefined,
  begin = stopwatch(),
): Reply {
  const id = sim.nextRequestId()
  const reply = rejectionWithId(problem, { id, sim, dialect })
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
