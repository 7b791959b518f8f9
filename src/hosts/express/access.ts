import { randomUUID } from 'node:crypto'
import { isEqual } from '../../engine/digest.js'
import { UsageError } from '../../engine/errors.js'
import { isLoopbackName } from '../../engine/loopback-name.js'
import { rememberLast } from '../../engine/recent.js'
import { type ApiRequest, isOfControl } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import type { Simulator } from '../../simulator/simulator.js'
import { controlHeaders, isPreflight, serviceHeaders, VARY } from './cors.js'
import { isDashboardFile } from './dashboard.js'
import { hostNameOf, hostNameOfOrigin, isSameOrigin, LOOPBACK_HOSTS, normalized } from './host-names.js'

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
export type AccessDecision =
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
): (request: ApiRequest) => AccessDecision | undefined {
  const publicHost = hostNameOfOrigin(sim.publicOrigin(''))
  const pageHosts = publicHost === undefined ? [] : [publicHost]
  const origins = cors.map(originOf)
  const hosts = allowHosts && [...pageHosts, ...allowHosts.map(normalized)]
  const checkService = accessCheck(serviceRules({ hosts, pageHosts, cors: origins }))
  const checkControl = accessCheck(controlRules(control))
  return (request) => {
    if (request.path.startsWith('/_sim') && isDashboardFile(request)) return undefined
    const isControl = isOfControl(request.path)
    // A file is protected by its signed URL, and pages of all origins may show it.
    if (!isControl && request.path.startsWith('/files/')) return undefined
    const problem = isControl ? checkControl(request) : checkService(request)
    if (problem !== undefined) return { problem }
    if (isControl) return decideForControl(request, control)
    return origins.length === 0 ? undefined : decideForService(request, origins)
  }
}

function decideForService(request: ApiRequest, cors: readonly string[]): AccessDecision | undefined {
  const origin = request.header('origin')
  if (origin === undefined || !mayRead(origin, cors))
    return cors.includes('*') ? undefined : { headers: { ...VARY }, isPreflight: false }
  return { headers: serviceHeaders(request, cors), isPreflight: isPreflight(request) }
}

function decideForControl(request: ApiRequest, { origins }: ControlPolicy): AccessDecision | undefined {
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

/** Who may use the control API over the network. */
interface ControlPolicy {
  /** The token that every request must contain; none if undefined. */
  readonly token?: string | undefined
  /** The host names that requests may address; any if undefined. */
  readonly hosts?: readonly string[] | undefined
  /** The origins of the web pages that may use it, in addition to its own origin. */
  readonly origins?: readonly string[] | undefined
}

/** Who may use the service API over the network. */
interface ServicePolicy {
  /** The host names that requests may address, in addition to loopback names; any if undefined. */
  readonly hosts: readonly string[] | undefined
  /** The host names whose pages may send requests, in addition to loopback names. */
  readonly pageHosts: readonly string[]
  /** The origins whose pages may send requests and read the answers; `*` for all. */
  readonly cors: readonly string[]
}

/** The part of a request that decides about its access. */
type CheckedRequest = Pick<ApiRequest, 'method' | 'query' | 'header'>

/** Which requests an API accepts. */
export interface AccessRules {
  readonly token?: string | undefined
  /** @param name the normalized host name; undefined without a Host header, empty if the header is invalid */
  acceptsHost(name: string | undefined): boolean
  /** Whether pages of another origin may send requests. */
  acceptsOrigin(origin: string): boolean
  rejectedHost(name: string): string
  rejectedOrigin(origin: string): string
}

/**
 * Creates the check of a request. It returns the problem for which an API rejects the request, or undefined. A web page
 * can send requests to servers on its visitor's machine: they contain the page's origin or, after DNS rebinding, a
 * foreign host name.
 */
export function accessCheck(rules: AccessRules): (request: CheckedRequest) => Problem | undefined {
  const acceptsHost = rememberLast((name: string | undefined) => rules.acceptsHost(name))
  return (request) => {
    // A browser cannot send a token with a preflight request.
    if (rules.token !== undefined && request.method !== 'OPTIONS' && !hasToken(request, rules.token))
      return WRONG_TOKEN
    const host = request.header('host')
    const name = host === undefined ? undefined : hostNameOf(host)
    if (!acceptsHost(name)) return forbidden(rules.rejectedHost(name || (host ?? '')))
    const origin = request.header('origin')
    if (origin === undefined || rules.acceptsOrigin(origin) || isSameOrigin(origin, host)) return undefined
    return forbidden(rules.rejectedOrigin(origin.slice(0, 100)))
  }
}

const WRONG_TOKEN = new Problem(
  'unauthorized',
  'The control API requires its token: `Authorization: Bearer <TOKEN>`, or ?token=<TOKEN>. The server printed it when it started.',
  { headers: { 'www-authenticate': 'Bearer realm="tasksim control"' } },
)

function forbidden(message: string): Problem {
  return new Problem('forbidden', message)
}

function hasToken(request: CheckedRequest, token: string): boolean {
  // A browser's event source or link cannot send the header.
  const given =
    /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1] ??
    new URLSearchParams(request.query).get('token') ??
    ''
  return isEqual(given, token)
}

function controlRules({ token, hosts, origins = [] }: ControlPolicy): AccessRules {
  return {
    token,
    acceptsHost: (name = '') => hosts === undefined || hosts.includes(name),
    acceptsOrigin: (origin) => origins.includes(origin),
    rejectedHost: (name) =>
      `The control API cannot be reached as ${name.slice(0, 100) || 'a server without a name'}. Use one of ${hosts?.join(', ')}, or allow the name with --allow-host.`,
    rejectedOrigin: (origin) =>
      `Pages of ${origin} may not use the control API. Allow them with --control-origin.`,
  }
}

export function serviceRules({ hosts, pageHosts, cors }: ServicePolicy): AccessRules {
  return {
    // Only HTTP/1.0 requests have no Host header, such as the health check of a load balancer; browsers always send
    // one.
    acceptsHost: (name) =>
      hosts === undefined || name === undefined || isLoopbackName(name) || hosts.includes(name),
    acceptsOrigin: (origin) => {
      if (mayRead(origin, cors)) return true
      const name = hostNameOfOrigin(origin)
      return name !== undefined && (isLoopbackName(name) || pageHosts.includes(name))
    },
    rejectedHost: (name) => {
      const isValid = name.length <= 253 && /^[\w.-]+$|^\[[\da-f:.]+\]$/.test(name)
      const remedy = isValid ? `, or allow the name with --allow-host ${name} (in code: allowHosts)` : ''
      return `The API cannot be reached as ${JSON.stringify(name.slice(0, 100))}. Address it as localhost or 127.0.0.1${remedy}.`
    },
    rejectedOrigin: (origin) =>
      `Pages of ${origin} may not use the API. Allow them with --cors ${origin === 'null' ? "'*'" : origin} (in code: cors).`,
  }
}

/** Whether pages of an origin may read the answers. */
function mayRead(origin: string, cors: readonly string[]): boolean {
  return cors.includes('*') || cors.includes(origin)
}

/** The settings of a server that concern its control API. */
interface ControlSettings {
  readonly controlToken?: string | undefined
  readonly controlOrigins?: readonly string[] | undefined
  readonly allowHosts?: readonly string[] | undefined
}

/**
 * Who may use the control API of a server: programs on this machine. Other machines need the token.
 * @param host the address on which the server listens
 * @throws UsageError if a header cannot carry the token
 */
export function controlPolicy(
  host: string,
  { controlToken: token, controlOrigins: origins, allowHosts = [] }: ControlSettings,
): ControlPolicy {
  if (token !== undefined) checkToken(token)
  if (!isLoopback(host)) return { token: token ?? randomUUID(), origins }
  return { token, origins, hosts: [...new Set([...LOOPBACK_HOSTS, host, ...allowHosts.map(normalized)])] }
}

/** Rejects a token that a header cannot carry unchanged. */
function checkToken(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return
  throw new UsageError(
    'The control token must consist of visible ASCII characters without a space, such as the output of `openssl rand -hex 16`.',
  )
}

/** Whether only programs on this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === '::1' || isLoopbackName(host)
}
