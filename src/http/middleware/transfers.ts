import { type Awaitable, after } from '../../engine/awaitable.js'
import type { Reply } from '../exchange.js'
import type { Exchange, Handler } from '../operation.js'
import { overBudget } from '../problem.js'
import { bytesOfReply } from '../transfer.js'

/**
 * Withholds a long reply if the memory budget has no room to send it. A reply to a request that may have changed
 * something is always sent.
 */
export function transfers<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  const { sim, request, note } = exchange
  return after(next(exchange), (reply) => {
    const bytes = bytesOfReply(reply)
    if (bytes === 0 || request.method !== 'GET' || sim.memory.canTransfer(bytes)) return reply
    note.observed = undefined
    throw overBudget(sim.memory)
  })
}
