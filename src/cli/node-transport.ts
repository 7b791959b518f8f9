import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Recent } from '../core/recent.js'
import type { Answer } from '../core/webhook/delivery.js'
import { KEPT_BYTES, type Post, type Transport } from '../core/webhook/transport.js'

/**
 * A connection that nobody has used for so many milliseconds is closed: well before receivers close theirs, so
 * that no webhook is sent into a connection which is about to end.
 */
const IDLE = 1_000

const agents = {
  http: new HttpAgent({ keepAlive: true, timeout: IDLE }),
  https: new HttpsAgent({ keepAlive: true, timeout: IDLE }),
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Sends by `node:http`, at a fraction of what `fetch` costs. As with {@link fetchTransport}, redirects are not
 * followed, and a long answer is not read to its end.
 */
export const nodeTransport: Transport = (post) =>
  new Promise((resolve, reject) => {
    const outgoing = requestOf(post)
    let isAnswered = false
    const fail = (cause: unknown) => {
      if (!isAnswered) reject(post.signal.aborted ? post.signal.reason : failure(cause))
    }
    // The option `signal` of a request does the same at several times the cost.
    post.signal.addEventListener('abort', () => outgoing.destroy(post.signal.reason), { once: true })
    outgoing.on('error', fail)
    outgoing.on('socket', (socket) => {
      // A connection that its receiver has ended is good for nothing more, and must not be taken for the next one.
      if (!outgoing.reusedSocket) socket.once('end', () => socket.destroy())
    })
    outgoing.on('upgrade', (_, socket) => {
      fail(new Error('bad upgrade'))
      socket.destroy()
    })
    outgoing.on('response', (incoming) => {
      isAnswered = true
      answerOf(incoming).then((answer) => soon(() => resolve(answer)), reject)
    })
    outgoing.end(post.body)
  })

/**
 * Waits until whatever came together with an answer has been seen: the end of the connection, above all, of which a
 * receiver need not have told. Without it the next webhook would be sent into a connection that is gone.
 */
function soon(go: () => void): void {
  setImmediate(() => setImmediate(go))
}

/** What went wrong as the cause, as `fetch` tells it; where several addresses were tried, it says nothing itself. */
function failure(cause: unknown): Error {
  const isLost = cause instanceof Error && cause.message === 'socket hang up'
  return new Error('The request failed', { cause: isLost ? new Error('other side closed') : cause })
}

// As many receivers as a simulator is likely to have; beyond, a URL is read anew.
const targets = new Recent<string, RequestOptions>(100)

function requestOf({ url, headers, body }: Post): ClientRequest {
  const target = targets.get(url) ?? targetOf(url)
  const all = { Accept: '*/*', ...headers, 'Content-Length': body.length }
  return (target.protocol === 'https:' ? overHttps : overHttp)({ ...target, headers: all })
}

function targetOf(url: string): RequestOptions {
  const options = urlToHttpOptions(new URL(url))
  const agent = options.protocol === 'https:' ? agents.https : agents.http
  const target = { ...options, method: 'POST', agent }
  targets.set(url, target)
  return target
}

async function answerOf(incoming: IncomingMessage): Promise<Answer> {
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    ),
    body: await beginningOf(incoming),
  }
}

/** The first bytes of a body, as text. What breaks off has been answered all the same: the status has come. */
function beginningOf(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const body = decoded(incoming)
    const pieces: Buffer[] = []
    let left = KEPT_BYTES
    const end = () => resolve(textOf(pieces, left === 0))
    body.on('data', (piece: Buffer) => {
      pieces.push(piece.subarray(0, left))
      left -= Math.min(left, piece.length)
      if (left > 0) return
      incoming.destroy()
      end()
    })
    body.on('end', end).on('error', end)
    incoming.on('error', end)
  })
}

function decoded(incoming: IncomingMessage): Readable {
  const decoder = DECODERS[incoming.headers['content-encoding']?.toLowerCase() ?? '']?.()
  return decoder === undefined ? incoming : incoming.pipe(decoder)
}

/** @param isCut whether the last character may be incomplete */
function textOf(pieces: readonly Buffer[], isCut: boolean): string {
  return pieces.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(pieces), { stream: isCut })
}
