import type { IncomingMessage } from 'node:http'

/** What a request at the proxy is for. */
export interface Target {
  /** Still percent-encoded, without the query. */
  readonly path: string
  /** With its question mark; may be empty. */
  readonly query: string
  /** Scheme and host with which the client reached the proxy. */
  readonly origin: string
}

/** The start of a request target from a client that uses the server as an HTTP proxy. */
const ABSOLUTE = /^https?:\/\/[^/?]*/i

/** @param publicUrl the URL of the tunnel to the proxy */
export function targetOf(request: IncomingMessage, publicUrl: string | undefined): Target {
  const url = (request.url ?? '/').replace(ABSOLUTE, '')
  const mark = url.indexOf('?')
  const [path, query] = mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark)]
  return { path, query, origin: originOf(request, publicUrl) }
}

function originOf({ headers, socket }: IncomingMessage, publicUrl: string | undefined): string {
  const { host = '' } = headers
  const tunnel = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (tunnel?.host === host) return tunnel.origin
  const isUsable = host !== '' && !/[/?#@\\\s]/.test(host) && URL.canParse(`http://${host}/`)
  return `http://${isUsable ? host : `${socket.localAddress}:${socket.localPort}`}`
}
