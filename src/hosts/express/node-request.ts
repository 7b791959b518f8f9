import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import type { HeaderRecord } from '../../engine/requests/headers.js'
import type { ApiRequest } from '../../exchange/exchange.js'
import { incompleteBody } from '../../exchange/problem.js'
import { takeSlices } from '../../http/uploads/read-pieces.js'
import { hostNameOf } from './host-names.js'
import { sendContinue } from './unfinished-request.js'

/** The start of a request target from a client that uses the server as a proxy. */
const ABSOLUTE = /^https?:\/\/[^/?]*/i

/** Adapts a request of Node's server to {@link ApiRequest}. */
export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #request: HostRequest
  readonly #response: ServerResponse
  readonly #headers: HeaderRecord
  #signal: AbortSignal | undefined

  constructor(request: HostRequest, response: ServerResponse) {
    const { method = '', url: target = '' } = request
    const url = target.startsWith('/') ? target : target.replace(ABSOLUTE, '')
    const mark = url.indexOf('?')
    this.method = method
    this.path = mark === -1 ? url : url.slice(0, mark)
    this.query = mark === -1 ? '' : url.slice(mark + 1)
    this.#request = request
    this.#response = response
    this.#headers = sharedHeaders(request)
  }

  get origin(): string {
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

/**
 * The scheme and host with which the client reached the server. A Host that is invalid in a URL would break every
 * output URL, so the address of the socket replaces it.
 * @param host the Host header
 */
export function originOf({ protocol = 'http', socket }: HostRequest, host: string | undefined): string {
  if (host !== undefined && host === last.host && protocol === last.protocol) return last.origin
  if (host === undefined || hostNameOf(host) === '') {
    const address = socket.localFamily === 'IPv6' ? `[${socket.localAddress}]` : socket.localAddress
    return `${protocol}://${address}:${socket.localPort}`
  }
  last = { host, protocol, origin: `${protocol}://${host}` }
  return last.origin
}

/** Nearly every request has the same origin, and parsing a URL costs as much as the rest of a poll. */
let last = { host: '', protocol: '', origin: '' }

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

interface Reading {
  readonly bytes: Awaitable<Uint8Array | undefined>
  /** Stops counting the bytes for the previous reader. */
  readonly release: (() => void) | undefined
}

/** A stream can be read once; later readers get the same bytes. */
const readings = new WeakMap<HostRequest, Reading>()

/**
 * The bytes of a request's body. If a body parser has consumed the stream, they are rebuilt from `req.body`.
 * @param arrived called with the number of bytes of each piece; an error that it throws ends the reading
 * @param release called when another reader counts the bytes, or when the request is answered
 * @returns undefined if there are more than `limit` bytes; a promise only if the body has not arrived
 */
export function rawBody(
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
  release?: () => void,
): Awaitable<Uint8Array | undefined> {
  const known = readings.get(request)
  if (known !== undefined || request.body !== undefined)
    return readAgain(known, request, limit, arrived, release)
  // Most bodies arrive together with their headers; listeners cost more than everything else about them.
  const bytes = request.complete ? arrivedBytes(request, limit) : collect(request, limit, arrived)
  readings.set(request, { bytes, release })
  if (!isPromise(bytes)) arrived(bytes?.length ?? 0)
  return bytes
}

/** The body of a request that has arrived completely; undefined if there are more than `limit` bytes. */
function arrivedBytes(request: HostRequest, limit: number): Uint8Array | undefined {
  const bytes: Uint8Array | null = request.read()
  if (bytes === null) return NO_BYTES
  return bytes.length > limit ? undefined : bytes
}

/**
 * Passes on the pieces of a request's body as they arrive, and keeps none of them. If another reader has the body, the
 * pieces are parts of it.
 * @param take called with each piece; an error that it throws ends the reading
 * @returns false if there are more than `limit` bytes
 */
async function rawPieces(
  request: HostRequest,
  limit: number,
  take: (piece: Uint8Array) => void,
): Promise<boolean> {
  const isUnread = !readings.has(request) && request.body === undefined
  if (isUnread && !request.complete) return receive(request, limit, take)
  const bytes = await rawBody(request, limit, () => {})
  if (bytes === undefined) return false
  await takeSlices(bytes, take)
  return true
}

async function readAgain(
  known: Reading | undefined,
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
  release: (() => void) | undefined,
): Promise<Uint8Array | undefined> {
  const whole = known === undefined ? parsedBody(request.body) : await known.bytes
  // An earlier reader may have accepted a larger body.
  const bytes = whole !== undefined && whole.length <= limit ? whole : undefined
  known?.release?.()
  readings.set(request, { bytes: Promise.resolve(bytes), release })
  arrived(bytes?.length ?? 0)
  return bytes
}

/** Frees the body of an answered request, because its connection may stay open for a long time. */
export function releaseBody(request: HostRequest): void {
  readings.get(request)?.release?.()
  readings.delete(request)
}

function parsedBody(body: unknown): Uint8Array {
  return body instanceof Uint8Array
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** @returns undefined if there are more than `limit` bytes */
async function collect(
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  const isWhole = await receive(request, limit, (piece) => {
    arrived(piece.length)
    pieces.push(piece)
  })
  if (!isWhole) return undefined
  const [first = NO_BYTES] = pieces
  return pieces.length > 1 ? Buffer.concat(pieces) : first
}

const NO_BYTES = new Uint8Array()

/** Passes on the pieces of a body that has not arrived completely. */
function receive(request: HostRequest, limit: number, take: (piece: Uint8Array) => void): Promise<boolean> {
  if (Number(request.headers['content-length']) > limit) return Promise.resolve(false)
  sendContinue(request)
  return new Promise((resolve, reject) => {
    let length = 0
    let taking: typeof take | undefined = take
    request.on('data', (piece: Buffer) => {
      length += piece.length
      try {
        if (length <= limit) return taking?.(piece)
        resolve(false)
      } catch (error) {
        reject(error)
      }
      // Further bytes are read and dropped, so that the client can read the answer.
      taking = undefined
    })
    const rejectIncomplete = () => reject(incompleteBody())
    request.once('end', () => resolve(true))
    request.once('error', rejectIncomplete)
    request.once('close', () => {
      if (!request.complete) rejectIncomplete()
    })
    // A request that has already closed emits no further event.
    if (request.destroyed && !request.complete) rejectIncomplete()
  })
}

/** A request of Node's server, with what Express adds to it, if it has passed through Express. */
interface HostRequest extends IncomingMessage {
  /** The path at which the app is mounted. */
  readonly baseUrl?: string
  readonly protocol?: string
  /** The result of a body parser. */
  readonly body?: unknown
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
