import type { KeyLocation } from '../../dialects/dialect.js'
import type { Awaitable } from '../../engine/awaitable.js'
import { mask } from '../../engine/mask.js'
import type { KeyStatus } from '../../engine/requests/key-limits.js'
import type { ApiRequest, Reply } from '../../exchange/exchange.js'
import { Problem, unauthorized } from '../../exchange/problem.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { Handler, ServiceExchange } from '../operation.js'
import { hasKey, keyIn } from '../request-key.js'

const REFUSALS: Readonly<Record<Exclude<KeyStatus, 'accepted'>, string>> = {
  unknown: 'is not accepted. Use one that the scenario lists under `auth.keys`.',
  expired: 'has expired. Use another one.',
  revoked: 'was revoked. Use another one.',
}

/**
 * Finds the API key of a request, if its operation needs one.
 * @throws Problem 401 if there is none, or the scenario does not accept it; 400 if another required header is missing
 */
export function apiKey(exchange: ServiceExchange, next: Handler<ServiceExchange>): Awaitable<Reply> {
  if (exchange.operation.authenticated) {
    exchange.key = acceptedKey(exchange)
    if (exchange.dialect.requiredHeaders !== undefined)
      checkHeaders(exchange, exchange.dialect.requiredHeaders)
  }
  return next(exchange)
}

/** @throws Problem 400 if a header is missing */
function checkHeaders({ request }: ServiceExchange, headers: ReadonlyMap<string, string>): void {
  for (const [name, missing] of headers) {
    if (request.header(name) !== undefined) continue
    const message = `The header \`${missing}\` is missing. Send it with every request, as the official client does.`
    throw new Problem('invalid_request', message, { param: missing })
  }
}

function acceptedKey({ request, at, dialect, sim }: ServiceExchange): string {
  const key = keyIn(request, dialect.key)
  if (key === undefined) throw missingKey(request, dialect.key)
  const status = statusOf(key, at, sim)
  if (status !== 'accepted') {
    throw unauthorized(`The API key ${mask(key)} ${REFUSALS[status]}`, dialect.key.scheme, 'refused_key')
  }
  return key
}

function missingKey(request: ApiRequest, location: KeyLocation): Problem {
  const { header, scheme } = location
  const remedy = `Send the header \`${header}: ${scheme === undefined ? '' : `${scheme} `}<API_KEY>\`.`
  if (!hasKey(request, location))
    return unauthorized(`The request has no API key. ${remedy}`, scheme, 'missing_key')
  const what = scheme === undefined ? 'API key' : `${scheme} token`
  return unauthorized(`The ${header} header holds no ${what}. ${remedy}`, scheme, 'missing_key')
}

/**
 * A sandbox always accepts its own key, even if the scenario lists other keys. If a client appends a dot and another
 * key, the scenario must accept that key.
 */
function statusOf(key: string, at: number, { requestPolicy, identity }: Simulator): KeyStatus {
  const own = identity?.key
  if (key === own) return 'accepted'
  const listed = own !== undefined && key.startsWith(`${own}.`) ? key.slice(own.length + 1) : key
  return requestPolicy.accounts.statusOf(listed, requestPolicy.since(at))
}
