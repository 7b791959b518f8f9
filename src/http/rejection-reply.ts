import type { Dialect } from '../dialects/dialect.js'
import { makeSendable } from '../engine/requests/headers.js'
import type { Reply } from '../exchange/exchange.js'
import { errorReply, type Rejection } from '../exchange/reply.js'
import type { Simulator } from '../simulator/simulator.js'

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
