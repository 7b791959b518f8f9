import type { Simulator } from '../simulator.js'
import type { Reply } from './exchange.js'
import { isOfControl } from './locate.js'
import type { Exchange } from './operation.js'
import { Problem } from './problem.js'
import { rejection } from './reply.js'

/** Runs something that answers, and words what goes wrong the way the scenario wants. */
export async function safely(
  { id, sim, request }: Exchange,
  run: () => Promise<Reply> | Reply,
): Promise<Reply> {
  try {
    return await run()
  } catch (error) {
    // How the service words its errors says nothing about the control API, whose clients are programs of ours.
    const style = isOfControl(request.path) ? 'envelope' : sim.scenario.api.errors
    return rejection(problemOf(error, sim), id, style)
  }
}

function problemOf(error: unknown, sim: Simulator): Problem {
  if (error instanceof Problem) return error
  sim.emit('error', error)
  return new Problem('internal_error', 'tasksim itself failed on this request; its log says more.')
}
