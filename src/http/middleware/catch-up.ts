import type { Awaitable } from '../../engine/awaitable.js'
import type { Reply } from '../exchange/exchange.js'
import type { Exchange, Handler } from '../operation.js'

/** Runs everything that is due, so that no reply shows an outdated state. */
export function catchUp<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  const due = exchange.sim.catchUp()
  return due === undefined ? next(exchange) : nextAfter(due, exchange, next)
}

async function nextAfter<Of extends Exchange>(
  due: Promise<void>,
  exchange: Of,
  next: Handler<Of>,
): Promise<Reply> {
  await due
  return next(exchange)
}
