import type { Awaitable } from '../../engine/awaitable.js'
import { mask } from '../../engine/mask.js'
import { Recent } from '../../engine/recent.js'
import type { KeyStatus } from '../../engine/requests/accounts.js'
import type { Simulator } from '../../simulator.js'
import type { Reply } from '../exchange/exchange.js'
import type { Handler, ServiceExchange } from '../operation.js'
import { Problem } from '../exchange/problem.js'

const BEARER = /^Bearer +(\S+) *$/i
const REMEDY = 'Send the header `Authorization: Bearer <API_KEY>`.'

// A header's value is a new string with every request. Tasks keep the key, so equal keys share one string.
const keys = new Recent<string, string>()

const REFUSALS: Readonly<Record<Exclude<KeyStatus, 'accepted'>, string>> = {
  unknown: 'is not accepted. Use one that the scenario lists under `auth.keys`.',
  expired: 'has expired. Use another one.',
  revoked: 'was revoked. Use another one.',
}

/**
 * Finds the API key of a request, if its operation needs one.
 * @throws Problem 401 if there is none, or the scenario does not accept it
 */
export function apiKey(exchange: ServiceExchange, next: Handler<ServiceExchange>): Awaitable<Reply> {
  if (exchange.operation.authenticated)
    exchange.key = acceptedKey(exchange.request.header('authorization'), exchange.sim)
  return next(exchange)
}

function acceptedKey(header: string | undefined, sim: Simulator): string {
  if (header === undefined) throw unauthorized(`The request has no API key. ${REMEDY}`)
  const key = keyIn(header)
  if (key === undefined) throw unauthorized(`The Authorization header holds no Bearer token. ${REMEDY}`)
  const status = statusOf(key, sim)
  if (status !== 'accepted') throw unauthorized(`The API key ${mask(key)} ${REFUSALS[status]}`)
  return key
}

/**
 * A sandbox always accepts its own key, even if the scenario lists other keys. If a client appends a dot and another
 * key, the scenario must accept that key.
 */
function statusOf(key: string, { requestPolicy, clock, identity }: Simulator): KeyStatus {
  const own = identity?.key
  if (key === own) return 'accepted'
  const listed = own !== undefined && key.startsWith(`${own}.`) ? key.slice(own.length + 1) : key
  return requestPolicy.accounts.statusOf(listed, requestPolicy.since(clock.now()))
}

function unauthorized(message: string): Problem {
  return new Problem('unauthorized', message, { headers: { 'www-authenticate': 'Bearer realm="tasksim"' } })
}

function keyIn(header: string): string | undefined {
  const known = keys.get(header)
  if (known !== undefined) return known
  const key = BEARER.exec(header)?.[1]
  if (key !== undefined) keys.set(header, key)
  return key
}
