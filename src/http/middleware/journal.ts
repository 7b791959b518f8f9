import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import { clientNow } from '../../engine/clock/client-now.js'
import { stopwatch } from '../../engine/clock/system-clock.js'
import { answeredRequest } from '../answered-request.js'
import type { Reply } from '../exchange/exchange.js'
import { httpDate } from '../http-date.js'
import { isLive, reportedAtEnd } from '../live-reply.js'
import { notStored, storedPieces } from '../not-stored.js'
import type { Exchange, Handler } from '../operation.js'

/** Reports every answered request to the journal and the metrics. */
export function journal<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  const begin = stopwatch()
  const made = next(exchange)
  // Whether the process runs does not depend on what is stored.
  const mustBeStored = exchange.sim.parts.gate.writer !== undefined && exchange.operation?.id !== 'sim.health'
  return mustBeStored || isPromise(made)
    ? reportLater(exchange, made, mustBeStored, begin)
    : reported(exchange, made, begin)
}

async function reportLater(
  exchange: Exchange,
  pending: Awaitable<Reply>,
  mustBeStored: boolean,
  begin: number,
): Promise<Reply> {
  const { requests, gate } = exchange.sim.parts
  requests.unanswered += 1
  try {
    const made = await pending
    const isStored = !mustBeStored || (await gate.pass()) !== false
    return reported(exchange, isStored ? made : notStored(exchange), begin)
  } finally {
    requests.unanswered -= 1
  }
}

/** @returns the reply, which reports itself at its end if it is a stream */
function reported(exchange: Exchange, reply: Reply, begin: number): Reply {
  exchange.transfer?.release()
  reply.headers['x-request-id'] = exchange.id
  reply.headers['date'] = httpDate(clientNow(exchange.sim.clock))
  if (isLive(exchange, reply))
    return reportedAtEnd(storedPieces(reply, exchange), (ended) => report(exchange, ended, begin))
  report(exchange, reply, begin)
  return reply
}

function report(exchange: Exchange, reply: Reply, begin: number): void {
  const { sim } = exchange
  const took = stopwatch() - begin
  sim.emit('request.answered', answeredRequest(exchange, reply, sim.clock.now(), took), exchange)
}
