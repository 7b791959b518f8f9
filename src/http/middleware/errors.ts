import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import type { Reply } from '../../exchange/exchange.js'
import { internalError, Problem } from '../../exchange/problem.js'
import type { Exchange, Handler } from '../operation.js'
import { rejectionReply } from '../rejection-reply.js'

/** Turns errors into replies, in the form of the service. An error that is no {@link Problem} is also reported. */
export function errors<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  try {
    const reply = next(exchange)
    return isPromise(reply) ? rejectedLater(reply, exchange) : reply
  } catch (error) {
    return replyTo(error, exchange)
  }
}

function rejectedLater(pending: PromiseLike<Reply>, exchange: Exchange): PromiseLike<Reply> {
  return pending.then(undefined, (error) => replyTo(error, exchange))
}

function replyTo(error: unknown, exchange: Exchange): Reply {
  const { sim } = exchange
  if (error instanceof Problem) return rejected(error, exchange)
  sim.emit('error', error)
  return rejected(internalError(), exchange)
}

function rejected(problem: Problem, exchange: Exchange): Reply {
  // The problem itself would keep its stack.
  const { code, cause, message, param, limit } = problem
  exchange.note.cause = { code, cause, message, param, limit }
  return rejectionReply(problem, exchange)
}
