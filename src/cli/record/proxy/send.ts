import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as overHttp,
  type ServerResponse,
} from 'node:http'
import { request as overHttps } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { Problem } from '../../../exchange/problem.js'

/** Bytes of all headers. */
export const LONGEST_HEAD = 65_536

const SWITCHING = 101

const SWITCHED =
  'it answered 101 Switching Protocols, and WebSockets and other upgrades do not pass through the proxy'

/** A request to another server. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer | Readable | undefined
}

/**
 * Sends a request, and resolves once the head of the answer has arrived. It uses the connections that Node keeps open.
 * @throws Error if there is no answer
 */
export async function send(sent: SentRequest, signal: AbortSignal): Promise<IncomingMessage> {
  for (;;) {
    const answer = await trySend(sent, signal)
    if (answer !== undefined) return answer
  }
}

/** @returns undefined if the server closed the connection before it received the request, as it may do after a pause */
function trySend(sent: SentRequest, signal: AbortSignal): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = open(sent, signal)
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error(SWITCHED))
    })
    outgoing.once('response', (answer) => {
      if (answer.statusCode !== SWITCHING) return resolve(answer)
      outgoing.destroy()
      reject(new Error(SWITCHED))
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted
      if (isStale && !(sent.body instanceof Readable)) resolve(undefined)
      else reject(error)
    })
    if (!(sent.body instanceof Readable)) outgoing.end(sent.body)
    // An error reaches the listener above, or comes after an early answer.
    else pipeline(sent.body, outgoing, () => {})
  })
}

function open({ method, url, headers }: SentRequest, signal: AbortSignal): ClientRequest {
  return (url.startsWith('https:') ? overHttps : overHttp)(url, {
    method,
    headers,
    signal,
    maxHeaderSize: LONGEST_HEAD,
  })
}

/** A stream that decodes a Content-Encoding; undefined if there is nothing to decode, or no decoder. */
export function decoderOf(encoding = ''): NodeJS.ReadWriteStream | undefined {
  switch (encoding.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip()
    case 'deflate':
      return zlib.createInflate()
    case 'br':
      return zlib.createBrotliDecompress()
    default:
      return undefined
  }
}

/** Aborted when the client disconnects before it has the whole answer. */
export function disconnection(response: ServerResponse): AbortSignal {
  const disconnected = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort()
  })
  return disconnected.signal
}

const BAD_GATEWAY = 502

/** Rejects a request that the service did not answer. */
export function unreachable(url: string, error: unknown): Problem {
  const message = `tasksim got no answer from ${new URL(url).origin}: ${causeOf(error)}. Check the network and --upstream.${adviceAboutProxy()}`
  return new Problem('unavailable', message, { own: { status: BAD_GATEWAY } })
}

/** Why a request failed. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // If a host has several addresses, the message is empty.
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || error.name
}

function adviceAboutProxy(): string {
  const { HTTPS_PROXY, https_proxy: lower = HTTPS_PROXY, NODE_USE_ENV_PROXY } = process.env
  if (lower === undefined || NODE_USE_ENV_PROXY !== undefined) return ''
  return ' To use the proxy in HTTPS_PROXY, run Node 24 or later with NODE_USE_ENV_PROXY=1.'
}
