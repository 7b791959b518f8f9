import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'

/** Headers that are about one connection. @see https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** The headers of a message that are not about its connection, by lower-case name. */
export function endToEnd({ headers, headersDistinct }: IncomingMessage): OutgoingHttpHeaders {
  const dropped = new Set([...HOP_BY_HOP, ...namesIn(headers.connection)])
  const kept = Object.entries(headersDistinct).filter(([name]) => !dropped.has(name))
  return Object.fromEntries(
    kept.map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  )
}

/** The headers without some of them. */
export function without(headers: OutgoingHttpHeaders, ...names: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

/** The value of each header as one text. */
export function joined(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)]],
    ),
  )
}

/** Whether a message has a body, by its headers. */
export function announcesBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const JSON_TYPE = /[/+]json\b/i
const STREAM_TYPE = /\b(?:event-stream|x-ndjson|jsonl|json-seq)\b/i

/** Whether a Content-Type is that of JSON. */
export function isJson(type = ''): boolean {
  return JSON_TYPE.test(type)
}

/** Whether a Content-Type is that of a stream of events. */
export function isStream(type = ''): boolean {
  return STREAM_TYPE.test(type)
}

function namesIn(list = ''): string[] {
  return list.split(',').map((name) => name.trim().toLowerCase())
}

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
