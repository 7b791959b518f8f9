import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { startTimer } from '../../engine/clock/system-clock.js'
import { Recent } from '../../engine/recent.js'
import { forbiddenAddress, type TargetPolicy } from '../../engine/webhooks/attempts/target-policy.js'
import {
  type Beginning,
  KEPT_BYTES,
  PARTIAL,
  type Post,
  type Transport,
} from '../../engine/webhooks/attempts/transport.js'
import type { Answer } from '../../engine/webhooks/deliveries/delivery.js'
import { type Decoded, decodeBody, isDecodable } from './decode-body.js'

/**
 * Milliseconds after which an idle connection is closed. Receivers keep connections open for longer, so no webhook is
 * sent on a connection that is about to close.
 */
const IDLE_TIMEOUT = 1_000

const agents = {
  http: new HttpAgent({ keepAlive: true, timeout: IDLE_TIMEOUT }),
  https: new HttpsAgent({ keepAlive: true, timeout: IDLE_TIMEOUT }),
}

/**
 * Creates a transport on `node:http`, which is much faster than `fetch`. Like {@link fetchTransport}, it does not follow
 * redirects or read a long response to its end. It connects only to addresses that the policy allows.
 */
export function nodeTransport(policy: TargetPolicy, resolve?: Resolve): Transport {
  // Caches the parsed URLs of the most recent receivers.
  const targets = new Recent<string, RequestOptions>(100)
  return (post) => {
    let target = targets.get(post.url)
    if (target === undefined) {
      target = { ...targetOf(post.url), lookup: restrictedLookup(post.url, policy, resolve) }
      targets.set(post.url, target)
    }
    return send(post, target, policy)
  }
}

function send(post: Post, target: RequestOptions, policy: TargetPolicy): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = requestOf(post, target)
    let isAnswered = false
    const fail = (cause: unknown) => {
      if (!isAnswered) reject(post.signal.aborted ? post.signal.reason : failure(cause))
    }
    // This is several times faster than the `signal` option of a request.
    post.signal.addEventListener('abort', () => outgoing.destroy(post.signal.reason), { once: true })
    outgoing.on('error', fail)
    outgoing.on('socket', (socket) => {
      // The agent must not reuse a connection that the receiver has closed.
      if (!outgoing.reusedSocket) socket.once('end', () => socket.destroy())
      else if (!policy.mayReach(post.url, socket.remoteAddress ?? ''))
        outgoing.destroy(new Error(forbiddenAddress(post.url, socket.remoteAddress ?? '')))
    })
    outgoing.on('upgrade', (_, socket) => {
      fail(new Error('bad upgrade'))
      socket.destroy()
    })
    outgoing.on('response', (incoming) => {
      isAnswered = true
      readAnswer(incoming, post.signal).then((answer) => afterPendingEvents(() => resolve(answer)), reject)
    })
    outgoing.end(post.body)
  })
}

/**
 * Waits for events that arrive together with a response, such as an unannounced close of the connection. Otherwise the
 * agent would send the next webhook on a closed connection.
 */
function afterPendingEvents(callback: () => void): void {
  setImmediate(() => setImmediate(callback))
}

/** Wraps an error as `fetch` does. If a host has several addresses, the message of the original error is empty. */
function failure(cause: unknown): Error {
  const isLost = cause instanceof Error && cause.message === 'socket hang up'
  return new Error('The request failed', { cause: isLost ? new Error('other side closed') : cause })
}

function requestOf({ headers, body }: Post, target: RequestOptions): ClientRequest {
  const all = { Accept: '*/*', ...headers, 'Content-Length': body.length }
  return (target.protocol === 'https:' ? overHttps : overHttp)({ ...target, headers: all })
}

function targetOf(url: string): RequestOptions {
  const options = urlToHttpOptions(new URL(url))
  return { ...options, method: 'POST', agent: options.protocol === 'https:' ? agents.https : agents.http }
}

/** Resolves all addresses of a host, like `dns.lookup` with the option `all`. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Creates the `lookup` of a webhook connection. It returns only addresses that the policy allows for the URL, even if
 * the host resolves to another address each time.
 */
function restrictedLookup(url: string, policy: TargetPolicy, resolve: Resolve = dnsLookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses
      const allowed = addresses.filter(({ address }) => policy.mayReach(url, address))
      const [chosen] = allowed
      if (error !== null) callback(error, '')
      else if (chosen === undefined) callback(new Error(forbiddenAddress(url, first?.address ?? host)), '')
      else if (options.all) callback(null, allowed)
      else callback(null, chosen.address, chosen.family)
    })
  }
}

/** Reads the response of a receiver, with the beginning of the body as text. */
async function readAnswer(incoming: IncomingMessage, signal: AbortSignal): Promise<Answer> {
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    ),
    ...(await beginningOf(incoming, signal)),
  }
}

/** Enough encoded bytes for {@link KEPT_BYTES} decoded bytes. Encoded data may be longer than decoded data. */
const ENCODED_BYTES = 2 * KEPT_BYTES

/** Reads the beginning of the body. A truncated body is not an error, because the status arrived. */
async function beginningOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Beginning> {
  const encoding = incoming.headers['content-encoding']?.toLowerCase() ?? ''
  if (!isDecodable(encoding)) return toText(await read(incoming, KEPT_BYTES, signal))
  const encoded = await read(incoming, ENCODED_BYTES, signal)
  const decoding = decodeBody(encoded.bytes, encoding)
  const decoded = await (signal.aborted ? Promise.race([decoding, emptyAfterGrace()]) : decoding)
  return toText({ bytes: decoded.bytes, partial: decoded.partial ?? encoded.partial })
}

/**
 * Reads the first bytes of a body. It copies them, because each piece is a view of a buffer that may be much larger.
 */
function read(incoming: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Decoded> {
  return new Promise((resolve) => {
    let kept: Buffer | undefined
    let size = 0
    const end = (partial?: string) => resolve({ bytes: kept?.subarray(0, size) ?? Buffer.alloc(0), partial })
    incoming.on('data', (piece: Buffer) => {
      kept ??= Buffer.allocUnsafeSlow(maxBytes)
      const isAll = size + piece.length <= maxBytes
      size += piece.copy(kept, size)
      if (isAll) return
      incoming.destroy()
      end(PARTIAL.long)
    })
    incoming.on('end', () => end())
    incoming.on('error', () => end(signal.aborted ? PARTIAL.timeout : PARTIAL.cut))
  })
}

/** Real milliseconds to finish decoding after an abort; the sender waits longer than this. */
const ABORT_GRACE = 5

function emptyAfterGrace(): Promise<Decoded> {
  return new Promise((resolve) => {
    startTimer(ABORT_GRACE, () => resolve({ bytes: Buffer.alloc(0), partial: undefined }), true)
  })
}

/** Converts the bytes to text, without a truncated last character. */
function toText({ bytes, partial }: Decoded): Beginning {
  const isCut = partial !== undefined
  return { body: bytes.length === 0 ? '' : new TextDecoder().decode(bytes, { stream: isCut }), partial }
}
