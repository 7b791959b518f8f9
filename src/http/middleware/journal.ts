import { stopwatch } from '../../engine/clock/system-clock.js'
import { answeredRequest } from '../answered-request.js'
import type { Reply } from '../exchange/exchange.js'
import { isLive, reportedAtEnd } from '../live-reply.js'
import { notStored, storedPieces } from '../not-stored.js'
import type { Exchange, Handler } from '../operation.js'

/** Reports every answered request to the journal and the metrics. */
export async function journal<Of extends Exchange>(exchange: Of, next: Handler<Of>): Promise<Reply> {
  const begin = stopwatch()
  const made = await next(exchange)
  // Whether the process runs does not depend on what is stored.
  const stored = exchange.operation?.id === 'sim.health' ? undefined : exchange.sim.parts.gate.pass()
  const reply = stored === undefined || (await stored) ? made : notStored(exchange)
  exchange.transfer?.release()
  reply.headers['x-request-id'] = exchange.id
  const report = (given: Reply) =>
    exchange.sim.emit(
      'request.answered',
      answeredRequest(exchange, given, {
        answeredAt: exchange.sim.clock.now(),
        took: stopwatch() - begin,
      }),
      exchange,
    )
  if (isLive(exchange, reply)) return reportedAtEnd(storedPieces(reply, exchange), report)
  report(reply)
  return reply
}
