import { UsageError } from '../../../engine/errors.js'
import { type ApiRequest, isOfControl } from '../../../exchange/exchange.js'
import type { Problem } from '../../../exchange/problem.js'
import type { Simulator } from '../../../simulator/simulator.js'
import { isDashboardFile } from '../dashboard.js'
import { hostNameOfOrigin, LOOPBACK_HOSTS, normalized } from './host-names.js'
import { accessCheck, type ControlPolicy, controlRules, mayRead, serviceRules } from './rules.js'

/** Who may use the APIs of a server. */
export interface AccessOptions {
  /** Who may use the control API; by default, every client that uses a loopback name. */
  readonly control?: ControlPolicy
  /**
   * The host names that requests to the service API may use, in addition to loopback names and the host name of the
   * public URL. Any name by default.
   */
  readonly allowHosts?: readonly string[]
  /** The origins whose pages may use the service API, such as http://localhost:5173; `*` for all. None by default. */
  readonly cors?: readonly string[]
}

/**
 * The decision about a request: reject it, or add headers to its answer. The answer to a preflight has only these
 * headers.
 */
export type Admission =
  | { readonly problem: Problem }
  | { readonly problem?: undefined; readonly headers: Record<string, string>; readonly isPreflight: boolean }

/**
 * Creates the access check that runs for every request before the pipeline.
 * @returns a function that returns undefined for a request that is accepted without further headers
 * @throws UsageError if an origin is not a URL
 */
export function createAccess(
  sim: Simulator,
  { control = { hosts: LOOPBACK_HOSTS }, allowHosts, cors = [] }: AccessOptions,
): (request: ApiRequest) => Admission | undefined {
  const publicHost = hostNameOfOrigin(sim.publicOrigin(''))
  const pageHosts = publicHost === undefined ? [] : [publicHost]
  const origins = cors.map(originOf)
  const hosts = allowHosts && [...pageHosts, ...allowHosts.map(normalized)]
  const checkService = accessCheck(serviceRules({ hosts, pageHosts, cors: origins }))
  const checkControl = accessCheck(controlRules(control))
  return (request) => {
    if (isDashboardFile(request)) return undefined
    const isControl = isOfControl(request.path)
    // A file is protected by its signed URL, and pages of all origins may show it.
    if (!isControl && request.path.startsWith('/files/')) return undefined
    const problem = isControl ? checkControl(request) : checkService(request)
    if (problem !== undefined) return { problem }
    return isControl ? controlAdmission(request, control) : serviceAdmission(request, origins)
  }
}

function serviceAdmission(request: ApiRequest, cors: readonly string[]): Admission | undefined {
  if (cors.length === 0) return undefined
  const origin = request.header('origin')
  if (origin === undefined || !mayRead(origin, cors))
    return cors.includes('*') ? undefined : { headers: { ...VARY }, isPreflight: false }
  return { headers: serviceHeaders(request, cors), isPreflight: isPreflight(request) }
}

function controlAdmission(request: ApiRequest, { origins }: ControlPolicy): Admission | undefined {
  const origin = request.header('origin')
  if (origin === undefined || origins?.includes(origin) !== true) return undefined
  return { headers: controlHeaders(origin), isPreflight: isPreflight(request) }
}

function originOf(text: string): string {
  if (text === '*') return text
  if (hostNameOfOrigin(text) !== undefined) return new URL(text).origin
  throw new UsageError(
    `Cannot allow pages of ${JSON.stringify(text)}: give an origin such as http://localhost:5173, or * for all.`,
  )
}

const EXPOSED =
  'X-Request-Id, Retry-After, WWW-Authenticate, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'

/** Whether a request is a CORS preflight of a browser. */
function isPreflight(request: ApiRequest): boolean {
  return request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined
}

/** The headers that allow a page of another origin to use the service API. */
function serviceHeaders(request: ApiRequest, cors: readonly string[]): Record<string, string> {
  const isAny = cors.includes('*')
  return {
    'access-control-allow-origin': isAny ? '*' : (request.header('origin') ?? ''),
    ...(isAny ? {} : VARY),
    ...(isPreflight(request) ? preflightHeaders(request) : { 'access-control-expose-headers': EXPOSED }),
  }
}

/** Prevents a cache from reusing the answer for a page of another origin. */
const VARY = { vary: 'Origin' }

/** The headers that allow a page of another origin to use the control API. */
function controlHeaders(origin: string): Record<string, string> {
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
