import type { Reply } from '../exchange.js'
import type { Exchange, GuardedOperation } from '../operation.js'
import { safely } from '../safely.js'
import { faultyRequest } from './faulty-request.js'
import { inject } from './inject.js'
import { shownIn } from './shown.js'

/** Runs an operation with the fault that a rule or a directive decides on, if any. */
export async function befall(exchange: Exchange, operation: GuardedOperation): Promise<Reply> {
  const { sim, directive } = exchange
  const since = sim.traffic.since(sim.clock.now())
  const request = await faultyRequest(exchange, operation.id)
  const fault = sim.traffic.faults.befalling(request, since, directive?.fault)
  if (fault === undefined) return operation.run(exchange)
  const reply = await inject(fault, exchange, operation.id, () =>
    safely(exchange, () => operation.run(exchange)),
  )
  exchange.note.shown &&= shownIn(reply)
  return reply
}
