import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import type { Reply } from '../exchange/exchange.js'
import type { Exchange, Handler } from '../operation.js'
import { Problem } from '../exchange/problem.js'
import { rejection } from '../exchange/reply.js'

/** Turns errors into replies, in the style of the scenario. An error that is no {@link Problem} is also reported. */
export function errors<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  try {
    const reply = next(exchange)
    return isPromise(reply) ? reply.then(undefined, (error) => errorReply(error, exchange)) : reply
  } catch (error) {
    return errorReply(error, exchange)
  }
}

function errorReply(error: unknown, { id, sim, isControl }: Exchange): Reply {
  // The style of the service does not apply to the control API, whose clients are part of tasksim.
  const style = isControl ? 'envelope' : sim.scenario.api.errors
  if (error instanceof Problem) return rejection(error, id, style)
  sim.emit('error', error)
  const failure = new Problem('internal_error', 'tasksim itself failed on this request; its log says more.')
  return rejection(failure, id, style)
}
