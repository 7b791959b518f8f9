import { clientNow } from '../../engine/clock/client-now.js'
import type { Fault } from '../../engine/requests/fault.js'
import type { Simulator } from '../../simulator.js'
import type { Reply } from '../exchange/exchange.js'
import { httpDate } from '../http-date.js'
import type { Exchange } from '../operation.js'
import { rejectionReply } from '../rejection-reply.js'

/** The error codes of the service by status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'insufficient_credits',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  429: 'rate_limited',
  500: 'internal_error',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
}

/** The rejection that replaces an answer because of a fault. */
export function scriptedReply(fault: Fault, status: number, exchange: Exchange): Reply {
  const { sim, directive } = exchange
  const { code = CODES[status] ?? (status < 500 ? 'rejected' : 'internal_error') } = fault
  const source = directive?.fault === undefined ? 'scenario' : 'directive in the request'
  const { message = `The service answers ${status} because the ${source} says so.` } = fault
  const headers: Record<string, string> = {}
  if (fault.retry_after !== undefined) headers['retry-after'] = retryAfter(fault.retry_after, sim)
  const rejection = { status, code, message, param: undefined, headers, ownCode: fault.code }
  return rejectionReply(rejection, exchange)
}

function retryAfter(wait: NonNullable<Fault['retry_after']>, { clock }: Simulator): string {
  if (typeof wait === 'number') return String(Math.ceil(wait / 1_000))
  // A date has whole seconds. Rounding down would let the client retry too early.
  return httpDate(Math.ceil((clientNow(clock) + wait.date) / 1_000) * 1_000)
}
