import { isEqual } from '../../../engine/hmac.js'
import type { ApiRequest } from '../../../http/exchange.js'
import { Problem } from '../../../http/problem.js'
import { hostNameOf, isSameOrigin } from './host-names.js'

/** Who may use the control API over the network. */
export interface ControlPolicy {
  /** The token that every request has to show; none where undefined. */
  readonly token?: string | undefined
  /** The names by which it may be reached; any where undefined. */
  readonly hosts?: readonly string[] | undefined
  /** The web pages that may use it, beside its own. */
  readonly origins?: readonly string[] | undefined
}

/**
 * Why a request may not reach the control API; undefined if it may. A web page can send requests to servers on the
 * machine of its reader: they carry the page's origin or, after DNS rebinding, a foreign host name.
 */
export function controlProblem(request: ApiRequest, policy: ControlPolicy): Problem | undefined {
  // A browser cannot send a token with a preflight request.
  if (policy.token !== undefined && request.method !== 'OPTIONS' && !showsToken(request, policy.token))
    return WRONG_TOKEN
  const host = hostNameOf(request)
  if (policy.hosts !== undefined && !policy.hosts.includes(host)) {
    return new Problem(
      'forbidden',
      `The control API cannot be reached as ${host.slice(0, 100) || 'a server without a name'}. Use one of ${policy.hosts.join(', ')}, or allow the name with --allow-host.`,
    )
  }
  const origin = request.header('origin')
  if (origin === undefined || isAllowed(origin, request, policy)) return undefined
  return new Problem(
    'forbidden',
    `Pages of ${origin.slice(0, 100)} may not use the control API. Allow them with --control-origin.`,
  )
}

const WRONG_TOKEN = new Problem(
  'unauthorized',
  'The control API wants its token: `Authorization: Bearer <TOKEN>`, or ?token=<TOKEN>. The server printed it when it started.',
  { headers: { 'www-authenticate': 'Bearer realm="tasksim control"' } },
)

function showsToken(request: ApiRequest, token: string): boolean {
  // An event source of a browser and a link cannot carry the header.
  const shown =
    /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1] ??
    new URLSearchParams(request.query).get('token') ??
    ''
  return isEqual(shown, token)
}

function isAllowed(origin: string, request: ApiRequest, { origins = [] }: ControlPolicy): boolean {
  return origins.includes(origin) || isSameOrigin(origin, request)
}
