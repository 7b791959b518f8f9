import type { Request } from 'express'
import type { ApiRequest } from '../../api/exchange.js'
import { rawBody } from './raw-body.js'

// A host that could not stand in a URL would break every output URL, so it is not taken over.
const USABLE_HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/

/** An Express request, as the API sees it. */
export class ExpressRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #request: Request

  constructor(request: Request) {
    const { method, url } = request
    const mark = url.indexOf('?')
    this.method = method
    this.path = mark === -1 ? url : url.slice(0, mark)
    this.query = mark === -1 ? '' : url.slice(mark + 1)
    this.#request = request
  }

  get origin(): string {
    return `${originOf(this.#request)}${this.#request.baseUrl}`
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  body(limit: number): Promise<Uint8Array | undefined> {
    return rawBody(this.#request, limit)
  }
}

/** The scheme and host by which the client reached the server. */
export function originOf({ protocol, headers, socket }: Request): string {
  const { host } = headers
  if (host !== undefined && USABLE_HOST.test(host)) return `${protocol}://${host}`
  const address = socket.localFamily === 'IPv6' ? `[${socket.localAddress}]` : socket.localAddress
  return `${protocol}://${address}:${socket.localPort}`
}
