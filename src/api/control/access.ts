import { isEqual } from '../../core/hmac.js'
import type { ApiRequest, Reply } from '../exchange.js'
import { Problem } from '../problem.js'

/** Who may use the control API over the network. */
export interface ControlPolicy {
  /** The token that every request has to show; none where undefined. */
  readonly token?: string | undefined
  /** The names by which it may be reached; any where undefined. */
  readonly hosts?: readonly string[] | undefined
  /** The web pages that may use it, beside its own. */
  readonly origins?: readonly string[] | undefined
}

/** The names that this machine has for itself. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Lets a request to the control API in, or refuses it. A web page reaches servers on the machine that it is looked
 * at on: its requests carry its origin, or, where a name was made to lead here, that name.
 * @throws Problem 401 or 403
 */
export function checkControlAccess(request: ApiRequest, policy: ControlPolicy): void {
  // A browser that asks before it asks cannot show a token.
  const isPreflight = request.method === 'OPTIONS'
  if (policy.token !== undefined && !isPreflight) checkToken(request, policy.token)
  const host = hostnameOf(request)
  if (policy.hosts !== undefined && !policy.hosts.includes(host)) {
    throw new Problem(
      'forbidden',
      `The control API cannot be reached as ${host.slice(0, 100) || 'a server without a name'}. Use one of ${policy.hosts.join(', ')}.`,
    )
  }
  const origin = request.header('origin')
  if (origin === undefined || isAllowed(origin, request, policy)) return
  throw new Problem(
    'forbidden',
    `Pages of ${origin.slice(0, 100)} may not use the control API. Allow them with --control-origin.`,
  )
}

/** Puts in what a browser wants to see before it shows an answer to a page of an allowed origin. */
export function withCors(reply: Reply, request: ApiRequest, { origins = [] }: ControlPolicy): Reply {
  const origin = request.header('origin')
  if (origin === undefined || !origins.includes(origin)) return reply
  Object.assign(reply.headers, {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'content-type, authorization, last-event-id, x-sim-sandbox',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    vary: 'origin',
  })
  return reply
}

/** A query as it may be written down. */
export function withoutToken(query: string): string {
  return query.replace(TOKEN_PARAMETER, '$1***')
}

// The name may be percent-encoded, and is the same to whoever reads it.
const TOKEN_PARAMETER = /((?:^|&)(?:t|%74)(?:o|%6f)(?:k|%6b)(?:e|%65)(?:n|%6e)=)[^&]*/gi

function checkToken(request: ApiRequest, token: string): void {
  // A browser's event source and a link can carry no header.
  const shown =
    /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1] ??
    new URLSearchParams(request.query).get('token') ??
    ''
  if (isEqual(shown, token)) return
  throw new Problem(
    'unauthorized',
    'The control API wants its token: `Authorization: Bearer <TOKEN>`, or ?token=<TOKEN>. The server printed it when it started.',
    { headers: { 'www-authenticate': 'Bearer realm="tasksim control"' } },
  )
}

function hostnameOf(request: ApiRequest): string {
  const host = request.header('host') ?? ''
  // What has more in it than a name and a port would be taken for what stands in it.
  if (/[/?#@\\\s]/.test(host) || !URL.canParse(`http://${host}/`)) return host
  return new URL(`http://${host}/`).hostname
}

function isAllowed(origin: string, request: ApiRequest, { origins = [] }: ControlPolicy): boolean {
  if (origins.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === request.header('host')
}
