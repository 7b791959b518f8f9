import type { IncomingMessage } from 'node:http'
import type { Dialect } from '../../../dialects/dialect.js'
import { Problem } from '../../../http/exchange/problem.js'
import type { Target } from './target.js'
import type { Upstream } from './upstream.js'

/** Where a request goes. */
export interface Destination {
  /** The URL at the service. */
  readonly url: string
  /** The start of the path at the proxy: `/` and the name of the dialect, or nothing at the root. */
  readonly mount: string
}

/** Finds where a request goes: by its path, or by a header if the service's clients send it to a proxy. */
export function findDestination(
  { path: given, query }: Target,
  request: IncomingMessage,
  dialect: Dialect,
  upstream: Upstream,
): Destination | Problem {
  const { mount, path } = upstream.split(given)
  const { forward } = dialect
  if (forward !== undefined && path === forward.path) {
    const url = forwardedUrl(request.headers[forward.header.toLowerCase()], upstream)
    return url === undefined ? withoutTarget(forward.header, upstream) : { url, mount }
  }
  const url = upstream.urlOf(path)
  if (url !== undefined) return { url: url + query, mount }
  return new Problem(
    'not_found',
    `No host of the service has the path ${path}. ${dialect.help(mount, `${request.method ?? 'GET'} ${given}`)}`,
  )
}

function forwardedUrl(header: string | string[] | undefined, upstream: Upstream): string | undefined {
  if (typeof header !== 'string' || !URL.canParse(header)) return undefined
  const url = new URL(header)
  const target = upstream.urlFor(url)
  return target && target + url.search
}

function withoutTarget(header: string, { hosts }: Upstream): Problem {
  const origins = hosts.map(({ origin }) => origin).join(', ')
  return new Problem(
    'invalid_request',
    `Expected the header \`${header}\` to be a URL on one of the hosts of the service: ${origins}.`,
    { param: header },
  )
}
