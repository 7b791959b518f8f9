import type { AnsweredRequest } from '../engine/events.js'
import { mask } from '../engine/mask.js'
import { isDelivered, type Reply } from './exchange.js'
import { MOST_REMEMBERED } from './json-body.js'
import type { Exchange } from './operation.js'
import { withoutToken } from './without-token.js'

/**
 * What is told of a request when it has been answered. The journal keeps it long after the exchange is over, so it
 * holds nothing of the host's.
 * @param took milliseconds of real time
 */
export function answered(exchange: Exchange, reply: Reply, took: number): AnsweredRequest {
  const { id, at, sim, request, isControl, operation, key, taskId, namedTask, fault, note } = exchange
  const { status, headers, body } = reply
  if (typeof body === 'string' && body.length <= MOST_REMEMBERED) note.responseBody = body
  return {
    id,
    at,
    answeredAt: sim.clock.now(),
    method: request.method,
    path: request.path,
    query: isControl ? withoutToken(request.query) : request.query,
    operation: operation?.id,
    status,
    delivered: isDelivered(reply),
    retryAfter: retryAfterIn(headers, at),
    key: key && mask(key),
    taskId: taskId ?? namedTask,
    fault,
    took,
    note,
  }
}

/** Milliseconds after which a client may come again, where it was told so in seconds or by a date. */
function retryAfterIn(headers: Reply['headers'], at: number): number | undefined {
  const told = headers['retry-after']
  if (told === undefined) return undefined
  return /^\d+$/.test(told) ? Number(told) * 1_000 : Math.max(0, Date.parse(told) - at)
}
