import { LONGEST_DURATION } from '../engine/clock/durations.js'
import type { AnsweredRequest } from '../engine/events.js'
import { mask } from '../engine/mask.js'
import { KeptHeaders } from '../engine/requests/headers.js'
import { isDelivered, isOfControl, type Reply } from '../exchange/exchange.js'
import { MAX_RECORDED } from './json-body.js'
import type { Exchange } from './operation.js'

/** When an exchange happened. */
interface ExchangeTimes {
  /** When it was answered, in epoch milliseconds on the simulator's clock. */
  readonly answeredAt: number
  /** When the request arrived, in epoch milliseconds on the machine's clock. */
  readonly realAt: number
  /** Milliseconds of real time since the request arrived. */
  readonly took: number
}

/** Describes an exchange. The journal keeps the result for long, so it has no reference to the host. */
export function answeredRequest(
  exchange: Exchange,
  reply: Reply,
  { answeredAt, realAt, took }: ExchangeTimes,
): AnsweredRequest {
  const { sim, id, at, request, dialect, operation, key, taskId, namedTask, fault, note } = exchange
  const { status, headers, body } = reply
  if (reply.hasFiles) note.hasFiles = true
  if (typeof body === 'string' && body.length <= MAX_RECORDED)
    note.responseBody = reply.secrets === undefined ? body : shownBody(body, reply.secrets)
  if (!isOfControl(request.path))
    note.headers = new KeptHeaders({
      request: request.headers?.() ?? {},
      response: headers,
      keyHeader: dialect?.key.header,
      secrets: reply.secrets ?? [],
    })
  const retryAfter = retryAfterIn(headers, sim.clock.speed === 0 ? at : realAt)
  if (retryAfter !== undefined && sim.parts.time.hasClientTimers) note.lastArrived = sim.lastRequestId
  return {
    id,
    at,
    realAt,
    answeredAt,
    method: request.method,
    path: request.path,
    query: shownQuery(exchange),
    dialect: dialect?.name,
    operation: operation?.id,
    status,
    delivered: isDelivered(reply) && !exchange.hasLeft,
    retryAfter,
    key: key && mask(key),
    taskId: taskId ?? namedTask,
    fault,
    took,
    note,
  }
}

/** A body without its secrets. */
function shownBody(body: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, mask(secret)), body)
}

/**
 * The milliseconds of a Retry-After header, which holds seconds or a date; undefined if it holds neither.
 * @param now when the request arrived, on the clock of the client
 */
function retryAfterIn(headers: Reply['headers'], now: number): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), LONGEST_DURATION)
}

// The name of the parameter may be percent-encoded; servers decode it to the same name.
const TOKEN_PARAMETER = /((?:^|&)(?:t|%74)(?:o|%6f)(?:k|%6b)(?:e|%65)(?:n|%6e)=)[^&]*/gi

/** A query without the control token, or without an API key. */
function shownQuery({ request: { query }, isControl, dialect }: Exchange): string {
  if (query === '') return query
  if (isControl) return withoutToken(query)
  const name = dialect?.key.query
  return name === undefined ? query : withoutKey(query, name)
}

function withoutKey(query: string, name: string): string {
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
