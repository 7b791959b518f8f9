import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Awaitable } from '../../engine/awaitable.js'
import type { HeaderRecord } from '../../engine/requests/headers.js'
import type { ApiRequest } from '../../exchange/exchange.js'
import { hostNameOf } from './host-names.js'
import { type HostRequest, rawBody, rawPieces } from './request-body.js'

/** The start of a request target from a client that uses the server as a proxy. */
const ABSOLUTE = /^https?:\/\/[^/?]*/i

/** Where a request goes, if its target and its Host header do not say it. */
export interface RequestAddress {
  /** The scheme and host that the client called. */
  readonly origin: string
  /** The path in the table of routes. */
  readonly path: string
}

/** Adapts a request of Node's server to {@link ApiRequest}. */
export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #request: HostRequest
  readonly #response: ServerResponse
  readonly #headers: HeaderRecord
  readonly #origin: string | undefined
  #signal: AbortSignal | undefined

  constructor(request: HostRequest, response: ServerResponse, address?: RequestAddress) {
    const { method = '', url: target = '' } = request
    const { path, query } = partsOf(target)
    this.method = method
    this.path = address?.path ?? path
    this.query = query
    this.#origin = address?.origin
    this.#request = request
    this.#response = response
    this.#headers = sharedHeaders(request)
  }

  get origin(): string {
    if (this.#origin !== undefined) return this.#origin
    const { baseUrl = '' } = this.#request
    const origin = originOf(this.#request, this.header('host'))
    return baseUrl === '' ? origin : origin + baseUrl
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#disconnection()
    return this.#signal
  }

  #disconnection(): AbortSignal {
    const disconnected = new AbortController()
    if (this.#response.closed) disconnected.abort()
    else this.#response.once('close', () => disconnected.abort())
    return disconnected.signal
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

  headers(): HeaderRecord {
    return this.#headers
  }

  get hasLeft(): boolean {
    return this.#response.closed
  }

  body(limit: number, arrived: (bytes: number) => void): Awaitable<Uint8Array | undefined> {
    return rawBody(this.#request, limit, arrived)
  }

  read(limit: number, take: (piece: Uint8Array) => void): Promise<boolean> {
    return rawPieces(this.#request, limit, take)
  }
}

/** The path and the query of a request target. */
export function partsOf(target: string): { readonly path: string; readonly query: string } {
  const url = target.startsWith('/') ? target : target.replace(ABSOLUTE, '')
  const mark = url.indexOf('?')
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

/**
 * The scheme and host with which the client reached the server. A Host that is invalid in a URL would break every
 * output URL, so the address of the socket replaces it.
 * @param host the Host header
 */
export function originOf({ protocol = 'http', socket }: HostRequest, host: string | undefined): string {
  if (host !== undefined && hostNameOf(host) !== '') return `${protocol}://${host}`
  const address = socket.localFamily === 'IPv6' ? `[${socket.localAddress}]` : socket.localAddress
  return `${protocol}://${address}:${socket.localPort}`
}

interface Known {
  /** As {@link IncomingMessage.rawHeaders}. */
  readonly raw: readonly string[]
  readonly headers: HeaderRecord
}

const SLOTS = 64

/** Recently received headers, by a hash of their lengths. */
const known: (Known | undefined)[] = new Array(SLOTS).fill(undefined)

/**
 * The headers of a request. Requests with the same headers share one object, because a client sends the same ones with
 * each poll, and the journal keeps the headers of thousands of requests.
 */
export function sharedHeaders(request: IncomingMessage): HeaderRecord {
  const { rawHeaders: raw } = request
  const slot = slotOf(raw)
  const last = known[slot]
  if (last !== undefined && areEqual(last.raw, raw)) return last.headers
  const { headers } = request
  known[slot] = { raw, headers }
  return headers
}

function slotOf(raw: readonly string[]): number {
  let hash = raw.length
  for (const text of raw) hash = (Math.imul(hash, 31) + text.length) | 0
  return hash & (SLOTS - 1)
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false
  return true
}

/**
 * Answers a request, or passes it on: an Express app, or a part of one that can also stand alone.
 * @param next continues without an answer, or with an error
 */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void
