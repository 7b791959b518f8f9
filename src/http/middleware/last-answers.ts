import { type Awaitable, after } from '../../engine/awaitable.js'
import { shownIn } from '../../inspect/journal/last-answer.js'
import { isDelivered, type Reply } from '../exchange/exchange.js'
import type { Exchange, Handler } from '../operation.js'

/** Notes how the client has last seen each task, if a rule of the scenario shows it so again. */
export function lastAnswers<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  return exchange.sim.requestPolicy.lastAnswers.areKept ? keepAnswer(exchange, next) : next(exchange)
}

function keepAnswer<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  return after(next(exchange), (reply) => {
    const { sim, key, taskId, operation, isControl, note } = exchange
    if (taskId === undefined || isControl) return reply
    const answered = { status: reply.status, delivered: isDelivered(reply), answeredAt: sim.clock.now() }
    const shown = shownIn({ ...answered, operation: operation?.id, taskId, note })
    if (shown !== undefined) sim.requestPolicy.lastAnswers.set(taskId, key, shown)
    return reply
  })
}
