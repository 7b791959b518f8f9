import { stopwatch } from '../../engine/clock/system-clock.js'
import type { AnsweredRequest } from '../../engine/events.js'
import { mask } from '../../engine/mask.js'
import { isDelivered, type Reply } from '../exchange/exchange.js'
import { MAX_RECORDED } from '../json-body.js'
import { isLive, reportedAtEnd } from '../live-reply.js'
import type { Exchange, Handler } from '../operation.js'

/** Reports every answered request to the journal and the metrics. */
export async function journal<Of extends Exchange>(exchange: Of, next: Handler<Of>): Promise<Reply> {
  const begin = stopwatch()
  const reply = await next(exchange)
  exchange.transfer?.release()
  reply.headers['x-request-id'] = exchange.id
  const report = (given: Reply) =>
    exchange.sim.emit('request.answered', answeredRequest(exchange, given, stopwatch() - begin))
  if (isLive(exchange, reply)) return reportedAtEnd(reply, report)
  report(reply)
  return reply
}

/**
 * The journal keeps the result long after the exchange, so the result has no reference to the host.
 * @param took milliseconds of real time
 */
function answeredRequest(exchange: Exchange, reply: Reply, took: number): AnsweredRequest {
  const { id, at, sim, request, dialect, operation, key, taskId, namedTask, fault, note } = exchange
  const { status, headers, body } = reply
  if (reply.hasFiles) note.hasFiles = true
  if (typeof body === 'string' && body.length <= MAX_RECORDED) note.responseBody = shownBody(body, reply)
  return {
    id,
    at,
    answeredAt: sim.clock.now(),
    method: request.method,
    path: request.path,
    query: shownQuery(exchange),
    dialect: dialect?.name,
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

/** A body without its secrets. */
function shownBody(body: string, { secrets = [] }: Reply): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, mask(secret)), body)
}

/** The milliseconds of a Retry-After header, which holds seconds or a date. */
function retryAfterIn(headers: Reply['headers'], at: number): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  return /^\d+$/.test(value) ? Number(value) * 1_000 : Math.max(0, Date.parse(value) - at)
}

// The name of the parameter may be percent-encoded; servers decode it to the same name.
const TOKEN_PARAMETER = /((?:^|&)(?:t|%74)(?:o|%6f)(?:k|%6b)(?:e|%65)(?:n|%6e)=)[^&]*/gi

/** A query without the control token, or without an API key. */
function shownQuery({ request: { query }, isControl, dialect }: Exchange): string {
  if (isControl) return withoutToken(query)
  const name = dialect?.key.query
  if (name === undefined || query === '') return query
  const parameters = query.split('&').map((text) => {
    const [given = ''] = new URLSearchParams(text).keys()
    return given === name ? `${name}=***` : text
  })
  return parameters.join('&')
}

/** A query without the control token. */
function withoutToken(query: string): string {
  return query.replace(TOKEN_PARAMETER, '$1***')
}
