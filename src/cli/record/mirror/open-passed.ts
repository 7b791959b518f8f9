import { exchangeOf, hasOperation } from '../../../api.js'
import type { Dialect } from '../../../dialects/dialect.js'
import { pathOf } from '../../../dialects/reading/match-path.js'
import type { Exchange } from '../../../http/operation.js'
import { keyIn } from '../../../http/request-key.js'
import type { PassedExchange } from '../../../record/recording/passed-exchange.js'
import type { Simulator } from '../../../simulator.js'
import { PassedApiRequest } from './passed-request.js'

/**
 * Finds the operation of a request that passed through the proxy.
 * @param number how many requests passed before it
 */
export async function openPassed(
  sim: Simulator,
  dialect: Dialect,
  { at, request, response }: PassedExchange,
  number: number,
): Promise<Exchange> {
  const path = await knownPath(sim, pathOf(dialect.hosts, new URL(request.url)))
  await sim.dialects.loadFor(path)
  const exchange = { ...exchangeOf(sim, new PassedApiRequest(request, path)), id: idOf(at, number), at }
  if (exchange.operation?.authenticated && response?.status !== 401)
    exchange.key = keyIn(exchange.request, dialect.key) ?? ''
  return exchange
}

/** The end of a path that is one of the service: its start may be that of a gateway. */
async function knownPath(sim: Simulator, path: string): Promise<string> {
  for (let start = 0; start !== -1; start = path.indexOf('/', start + 1))
    if (await hasOperation(sim, path.slice(start))) return path.slice(start)
  return path
}

/** The ids of requests are in the order of their arrival, although the proxy reports them when they are answered. */
function idOf(at: number, number: number): string {
  return `req_${Math.round(at).toString(36).padStart(9, '0')}${number.toString(36).padStart(4, '0')}`
}
