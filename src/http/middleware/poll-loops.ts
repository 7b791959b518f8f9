import { LONGEST_LOOP } from '../../engine/requests/poll-loops.js'
import type { Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import type { ServiceExchange } from '../operation.js'

/** So many requests of a loop are rejected before their connections are closed, which also ends a loop that reads no status. */
const REJECTED = 100

/**
 * Ends a poll loop without any wait in a sandbox whose manual clock stands still: the answer would never change, and the
 * test would never end.
 * @returns the end of the connection; undefined if the request is answered
 * @throws Problem 400 for the first requests of such a loop
 */
export function endOfLoop({ sim, operation, namedTask, at, request }: ServiceExchange): Reply | undefined {
  const { loops } = sim.parts
  const isPoll = operation.id === 'tasks.retrieve' || operation.id === 'tasks.result'
  if (loops === undefined || !isPoll || sim.clock.speed > 0) return undefined
  const count = loops.count(`${operation.id} ${namedTask}`, at)
  if (count <= LONGEST_LOOP) return undefined
  if (count > LONGEST_LOOP + REJECTED)
    return { status: 0, headers: {}, body: undefined, transmission: { ends: 'before' } }
  throw new Problem(
    'invalid_request',
    `The client has sent ${request.method} ${request.path} ${LONGEST_LOOP} times without a wait, while the clock stood still, so the answer will never change. Let it wait between its polls with a function that advances the clock.`,
  )
}
