import type { ApiRequest } from '../../exchange/exchange.js'

const EXPOSED =
  'X-Request-Id, Retry-After, WWW-Authenticate, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'

/** Whether a request is a CORS preflight of a browser. */
export function isPreflight(request: ApiRequest): boolean {
  return request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined
}

/** The headers that allow a page of another origin to use the service API. */
export function serviceHeaders(request: ApiRequest, cors: readonly string[]): Record<string, string> {
  const isAny = cors.includes('*')
  return {
    'access-control-allow-origin': isAny ? '*' : (request.header('origin') ?? ''),
    ...(isAny ? {} : VARY),
    ...(isPreflight(request) ? preflightHeaders(request) : { 'access-control-expose-headers': EXPOSED }),
  }
}

/** Prevents a cache from reusing the answer for a page of another origin. */
export const VARY = { vary: 'Origin' }

/** The headers that allow a page of another origin to use the control API. */
export function controlHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'content-type, authorization, last-event-id, x-sim-sandbox',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    ...VARY,
  }
}

function preflightHeaders(request: ApiRequest): Record<string, string> {
  return {
    'access-control-allow-methods': 'GET, HEAD, POST',
    // Clients may send headers that the simulator ignores.
    'access-control-allow-headers':
      request.header('access-control-request-headers') ?? 'Authorization, Content-Type, X-Sim',
    'access-control-max-age': '600',
    ...(request.header('access-control-request-private-network') === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  }
}
