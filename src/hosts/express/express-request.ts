import type { Request } from 'express'
import type { HeaderRecord } from '../../engine/requests/header-record.js'
import type { ApiRequest } from '../../http/exchange/exchange.js'
import { rawBody } from './raw-body.js'

/** The start of a request target from a client that uses the server as a proxy. */
const ABSOLUTE = /^https?:\/\/[^/?]*/i

/** Adapts an Express request to {@link ApiRequest}. */
export class ExpressRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #request: Request

  constructor(request: Request) {
    const { method } = request
    const url = request.url.startsWith('/') ? request.url : request.url.replace(ABSOLUTE, '')
    const mark = url.indexOf('?')
    this.method = method
    this.path = mark === -1 ? url : url.slice(0, mark)
    this.query = mark === -1 ? '' : url.slice(mark + 1)
    this.#request = request
  }

  get origin(): string {
    return `${originOf(this.#request)}${this.#request.baseUrl}`
  }

  get signal(): AbortSignal {
    const disconnected = new AbortController()
    const { res } = this.#request
    if (res?.closed) disconnected.abort()
    else res?.once('close', () => disconnected.abort())
    return disconnected.signal
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  headers(): HeaderRecord {
    return this.#request.headers
  }

  body(limit: number, arrived: (bytes: number) => void): Promise<Uint8Array | undefined> {
    return rawBody(this.#request, limit, arrived)
  }
}

/**
 * The scheme and host with which the client reached the server. A Host that is invalid in a URL would break every
 * output URL, so the address of the socket replaces it.
 */
export function originOf({ protocol, headers, socket }: Request): string {
  const { host } = headers
  if (host !== undefined && isUsable(host)) return `${protocol}://${host}`
  const address = socket.localFamily === 'IPv6' ? `[${socket.localAddress}]` : socket.localAddress
  return `${protocol}://${address}:${socket.localPort}`
}

let lastUsable = ''

/**
 * Remembers the last valid host: nearly every request names the same one, and parsing a URL costs as much as the rest
 * of a poll.
 */
function isUsable(host: string): boolean {
  if (host === lastUsable) return true
  if (/[/?#@\\\s]/.test(host) || !URL.canParse(`http://${host}/`)) return false
  lastUsable = host
  return true
}
