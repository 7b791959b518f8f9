import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../../exchange/problem.js'
import { accessCheck, isLoopback, serviceRules } from '../../../hosts/express/access.js'
import { NodeRequest } from '../../../hosts/express/node-request.js'

/** Decides whether a request may pass. @returns the problem for which it is rejected */
export type Admission = (request: IncomingMessage, response: ServerResponse) => Problem | undefined

/**
 * Creates the check of the requests that a proxy passes on with the API key of its user: the rules of a server, and no
 * requests that it cannot pass on.
 * @param host the address on which the proxy listens
 * @param publicUrl the URL of a tunnel to the proxy
 */
export function createAdmission(host: string, publicUrl: string | undefined): Admission {
  const pageHosts = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const hosts = isLoopback(host) ? pageHosts : undefined
  const check = accessCheck(serviceRules({ hosts, pageHosts, cors: [] }))
  return (request, response) => check(new NodeRequest(request, response)) ?? unsupported(request)
}

function unsupported({ method, headers, url = '' }: IncomingMessage): Problem | undefined {
  if (method === 'TRACE')
    return new Problem('method_not_allowed', 'TRACE would show the API key. Use another method.')
  // A client that would also speak HTTP/2 without TLS gets HTTP/1.1, as from most servers.
  if (headers.upgrade !== undefined && !/^h2c$/i.test(headers.upgrade.trim()))
    return new Problem(
      'invalid_request',
      `WebSockets and other upgrades do not pass through the proxy, and the request asks for ${JSON.stringify(headers.upgrade.slice(0, 100))}. Connect to the service itself, or omit the header \`Upgrade\`.`,
    )
  if (hasParentSegment(url))
    return new Problem(
      'invalid_request',
      'The path has the segment `..`, which could leave the base URL of the service. Send the path without it.',
    )
  return undefined
}

/** How often a path may be encoded. A server may decode it more than once. */
const MOST_DECODED = 4
const PARENT = /^\.\.(?:;.*)?$/s
const BLANKS = /[\0-\x20]/g

/** Whether a path has the segment `..` for any reader: encoded, after a backslash, or with a parameter. */
function hasParentSegment(url: string): boolean {
  let path = url.split(/[?#]/, 1)[0] ?? ''
  for (let count = 0; count < MOST_DECODED; count++) {
    if (path.split(/[\\/]/).some((segment) => PARENT.test(segment.replace(BLANKS, '')))) return true
    path = path.replace(/%(?:25|2e|2f|5c|3b|09|0a|0d|00|20)/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    )
  }
  return false
}
