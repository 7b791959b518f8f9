import { type ClientRequest, Agent as HttpAgent, request as overHttp, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { Recent } from '../../engine/recent.js'
import { forbiddenAddress, type TargetPolicy } from '../../engine/webhooks/attempts/target-policy.js'
import type { Post, Transport } from '../../engine/webhooks/attempts/transport.js'
import type { Answer } from '../../engine/webhooks/deliveries/delivery.js'
import { readAnswer } from './read-answer.js'
import { type Resolve, restrictedLookup } from './restricted-lookup.js'

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
