import { withErrorReply } from '../error-reply.js'
import type { Reply } from '../exchange.js'
import type { Exchange, GuardedOperation } from '../operation.js'
import { faultContext } from './fault-context.js'
import { inject } from './inject.js'
import { observedIn } from './observed-tasks.js'

/** Runs an operation with the fault that a rule or a directive decides on, if any. */
export async function applyFault(exchange: Exchange, operation: GuardedOperation): Promise<Reply> {
  const { sim, directive } = exchange
  const since = sim.requestPolicy.since(sim.clock.now())
  const request = await faultContext(exchange, operation.id)
  const fault = sim.requestPolicy.faults.match(request, since, directive?.fault)
  if (fault === undefined) return operation.run(exchange)
  const reply = await inject(fault, exchange, operation.id, () =>
    withErrorReply(exchange, () => operation.run(exchange)),
  )
  exchange.note.observed &&= observedIn(reply)
  return reply
}
