import { LONGEST_LOOP } from '../../engine/requests/request-loops.js'
import { isDelivered, type Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import type { Exchange } from '../operation.js'
import { rejectionReply } from '../rejection.js'

/** A test may order the same so often at one instant on purpose. */
const MOST_ORDERS = 10_000

/**
 * So many requests of a loop are rejected before their connections are closed, which also ends a loop that reads no
 * status.
 */
const REJECTED = 100

/**
 * Ends a loop of equal requests without any wait while a manual clock stands still: nothing would ever change, and the
 * test would never end. Call it only on a manual clock, if loops are ended. It counts answered requests, because an
 * order that succeeds is not such a loop.
 * @returns the given reply or, in such a loop, the rejection 400, and then the end of the connection
 */
export function endOfLoop(reply: Reply, exchange: Exchange): Reply {
  const { sim, at, key, request, note, dialect } = exchange
  const { loops } = sim
  if (dialect === undefined) return reply
  const { method, path, query } = request
  const isNew = isOrder(exchange, reply)
  const longest = isNew ? MOST_ORDERS : LONGEST_LOOP
  const part = request.header('range') ?? request.header('content-range') ?? ''
  const identity = `${isNew} ${key} ${method} ${path}?${query} ${part} ${note.bodyHash ?? ''}`
  const count = loops.count(identity, at)
  if (count <= longest) return reply
  note.observed = undefined
  const message = `The client has sent ${method} ${path} ${longest} times without a wait, while the clock stood still, so the answer will never change. Let it end its attempts after some of them, and wait before each with a function that advances the clock, as a timer does under \`simTest\`.`
  if (count <= longest + REJECTED) return rejectionReply(new Problem('invalid_request', message), exchange)
  loops.ended = `${message} The simulator has therefore broken its connections.`
  return { status: 0, headers: {}, body: undefined, transmission: { ends: 'before' } }
}

/** Whether the client has got something new, such as a task or an uploaded file. */
function isOrder({ request: { method }, namedTask, note }: Exchange, reply: Reply): boolean {
  const isDone = reply.status < 300 && isDelivered(reply) && note.isAltered !== true
  return isDone && method !== 'GET' && method !== 'HEAD' && namedTask === undefined
}
