import type { ApiRequest } from '../../../http/exchange.js'
import { Problem } from '../../../http/problem.js'
import { hostNameOf, hostNameOfOrigin, isLoopbackName, isSameOrigin } from './host-names.js'

/** Which requests reach the service API. */
export interface ServicePolicy {
  /** The host names by which it may be addressed, besides loopback names; any name if undefined. */
  readonly hosts: readonly string[] | undefined
  /** The host names whose pages may send requests, besides loopback names. */
  readonly pageHosts: readonly string[]
  /** The origins whose pages may send requests and read the answers; `*` for all. */
  readonly cors: readonly string[]
}

/** Makes the check that returns why a request may not reach the service API, or undefined if it may. */
export function serviceCheck(policy: ServicePolicy): (request: ApiRequest) => Problem | undefined {
  const { hosts } = policy
  // Nearly every request has the same Host, and parsing a URL costs as much as the rest of a poll.
  let lastAccepted: string | undefined
  return (request) => {
    const header = request.header('host')
    // Only HTTP/1.0 comes without a Host, such as the check of a load balancer; browsers always send one.
    if (hosts !== undefined && header !== undefined && header !== lastAccepted) {
      const name = hostNameOf(request)
      if (!isLoopbackName(name) && !hosts.includes(name)) return foreignHost(name || header)
      lastAccepted = header
    }
    const origin = request.header('origin')
    if (origin === undefined || maySend(origin, policy) || isSameOrigin(origin, request)) return undefined
    return foreignPage(origin)
  }
}

/** Whether pages of an origin may read the answers. */
export function mayRead(origin: string, { cors }: Pick<ServicePolicy, 'cors'>): boolean {
  return cors.includes('*') || cors.includes(origin)
}

function maySend(origin: string, policy: ServicePolicy): boolean {
  if (mayRead(origin, policy)) return true
  const name = hostNameOfOrigin(origin)
  return name !== undefined && (isLoopbackName(name) || policy.pageHosts.includes(name))
}

function foreignHost(name: string): Problem {
  const remedy = isValid(name) ? `, or allow the name with --allow-host ${name} (in code: allowHosts)` : ''
  return new Problem(
    'forbidden',
    `The API cannot be reached as ${JSON.stringify(name.slice(0, 100))}. Address it as localhost or 127.0.0.1${remedy}.`,
  )
}

function isValid(name: string): boolean {
  return name.length <= 253 && /^[\w.-]+$|^\[[\da-f:.]+\]$/.test(name)
}

function foreignPage(origin: string): Problem {
  const shown = origin.slice(0, 100)
  const allowed = shown === 'null' ? "'*'" : shown
  return new Problem(
    'forbidden',
    `Pages of ${shown} may not use the API. Allow them with --cors ${allowed} (in code: cors).`,
  )
}
