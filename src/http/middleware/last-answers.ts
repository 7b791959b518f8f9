import { type Awaitable, after } from '../../engine/awaitable.js'
import { isDelivered, type Reply } from '../exchange/exchange.js'
import type { Exchange, Handler } from '../operation.js'

/** Keeps the last answer about each task that the client received, if a rule of the scenario repeats it. */
export function lastAnswers<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  return exchange.sim.requestPolicy.lastAnswers.areKept ? keepAnswer(exchange, next) : next(exchange)
}

function keepAnswer<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  return after(next(exchange), (reply) => {
    const { sim, key, taskId, operation, isControl } = exchange
    const isTask = taskId !== undefined && !isControl && operation?.id !== 'files.download'
    if (isTask && reply.status < 300 && typeof reply.body === 'string' && isDelivered(reply))
      sim.requestPolicy.lastAnswers.set(taskId, key, reply.body)
    return reply
  })
}
