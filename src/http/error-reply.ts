import type { Awaitable } from '../engine/awaitable.js'
import type { Reply } from './exchange.js'
import type { Exchange } from './operation.js'
import { Problem } from './problem.js'
import { rejection } from './reply.js'

/** Runs something that answers, and words what goes wrong the way the scenario wants. */
export async function withErrorReply(exchange: Exchange, run: () => Awaitable<Reply>): Promise<Reply> {
  try {
    return await run()
  } catch (error) {
    return errorReply(error, exchange)
  }
}

/** The answer to a request that failed: with a {@link Problem}, or because of a mistake in tasksim itself. */
export function errorReply(error: unknown, { id, sim, isControl }: Exchange): Reply {
  // How the service words its errors says nothing about the control API, whose clients are programs of ours.
  const style = isControl ? 'envelope' : sim.scenario.api.errors
  if (error instanceof Problem) return rejection(error, id, style)
  sim.emit('error', error)
  const failure = new Problem('internal_error', 'tasksim itself failed on this request; its log says more.')
  return rejection(failure, id, style)
}
