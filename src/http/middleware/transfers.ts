import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import type { Reply } from '../exchange/exchange.js'
import { overBudget } from '../exchange/problem.js'
import type { Exchange, Handler } from '../operation.js'
import { bytesOfReply } from '../transfer.js'

/**
 * Rejects a GET request if sending its long reply would exceed the memory budget. Other replies are always sent,
 * because their requests may have changed something.
 */
export function transfers<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  const reply = next(exchange)
  return isPromise(reply) ? checkedLater(reply, exchange) : checked(reply, exchange)
}

function checkedLater(pending: PromiseLike<Reply>, exchange: Exchange): PromiseLike<Reply> {
  return pending.then((reply) => checked(reply, exchange))
}

function checked(reply: Reply, { sim, request, note }: Exchange): Reply {
  const bytes = bytesOfReply(reply)
  if (bytes === 0 || request.method !== 'GET' || sim.memory.canTransfer(bytes)) return reply
  note.observed = undefined
  throw overBudget(sim.memory)
}
