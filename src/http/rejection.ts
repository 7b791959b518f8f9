import type { Dialect } from '../dialects/dialect.js'
import { type Awaitable, isPromise } from '../engine/awaitable.js'
import { stopwatch } from '../engine/clock/system-clock.js'
import { makeSendable } from '../engine/requests/headers.js'
import { InputError } from '../engine/tasks/kinds.js'
import { type ApiRequest, errorReply, type Rejection, type Reply } from '../exchange/exchange.js'
import { inputProblem, internalError, Problem } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import type { Exchange, Handler } from './operation.js'

/**
 * Turns errors into replies, in the form of the service. An error that is neither a {@link Problem} nor an
 * {@link InputError} is also reported.
 */
export function withoutErrors<Of extends Exchange>(exchange: Of, handler: Handler<Of>): Awaitable<Reply> {
  try {
    const reply = handler(exchange)
    return isPromise(reply) ? reply.then(undefined, (error) => replyTo(error, exchange)) : reply
  } catch (error) {
    return replyTo(error, exchange)
  }
}

function replyTo(error: unknown, exchange: Exchange): Reply {
  const rejection = error instanceof InputError ? inputProblem(error) : error
  if (!(rejection instanceof Problem)) exchange.sim.events.emit('error', error)
  const problem = rejection instanceof Problem ? rejection : internalError()
  // The problem itself would keep its stack.
  const { code, cause, message, param, limit, known } = problem
  exchange.note.cause = { code, cause, message, param, limit, known }
  return rejectionReply(problem, exchange)
}

/** The parts of an exchange that determine the form of a rejection. */
interface RejectedExchange {
  readonly id: string
  readonly sim: Simulator
  readonly dialect: Dialect | undefined
}

/** {@link rejectionReply}, with the id of the request, for a request that does not go through the pipeline. */
export function rejectionWithId(rejection: Rejection, exchange: RejectedExchange): Reply {
  const reply = rejectionReply(rejection, exchange)
  reply.headers['x-request-id'] = exchange.id
  makeSendable(reply.headers)
  return reply
}

/** Answers with a rejection in the form of the service, or of the control API, whose clients are part of tasksim. */
export function rejectionReply(rejection: Rejection, { id, sim, dialect }: RejectedExchange): Reply {
  return dialect === undefined ? errorReply(rejection, id) : dialect.error(rejection, id, sim.scenario)
}

/**
 * Rejects a request before it reaches the simulator. The log contains the request; the journal, the metrics and the
 * findings do not.
 * @param dialect the wire format of the path; undefined in the control API
 */
export function refusal(
  sim: Simulator,
  { method, path }: Pick<ApiRequest, 'method' | 'path'>,
  problem: Problem,
  dialect: Dialect | undefined,
): Reply {
  const begin = stopwatch()
  const id = sim.requests.nextId()
  const reply = rejectionWithId(problem, { id, sim, dialect })
  const { status, message } = problem
  sim.events.emit('request.refused', {
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
