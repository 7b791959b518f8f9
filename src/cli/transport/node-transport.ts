import { type ClientRequest, Agent as HttpAgent, request as overHttp, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { Recent } from '../../engine/recent.js'
import type { Answer } from '../../engine/webhooks/delivery.js'
import { forbiddenAddress, type TargetPolicy } from '../../engine/webhooks/target-policy.js'
import type { Post, Transport } from '../../engine/webhooks/transport.js'
import { readAnswer } from './read-answer.js'
import { type Resolve, restrictedLookup } from './restricted-lookup.js'

/**
 * A connection that nobody has used for so many milliseconds is closed: well before receivers close theirs, so
 * that no webhook is sent into a connection which is about to end.
 */
const IDLE = 1_000

const agents = {
  http: new HttpAgent({ keepAlive: true, timeout: IDLE }),
  https: new HttpsAgent({ keepAlive: true, timeout: IDLE }),
}

/**
 * Sends by `node:http`, at a fraction of what `fetch` costs. As with {@link fetchTransport}, redirects are not
 * followed, and a long answer is not read to its end. It connects only to the addresses that the policy allows,
 * whatever name leads to them.
 */
export function nodeTransport(policy: TargetPolicy, resolve?: Resolve): Transport {
  // As many receivers as a simulator is likely to have; beyond, a URL is read anew.
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
    // The option `signal` of a request does the same at several times the cost.
    post.signal.addEventListener('abort', () => outgoing.destroy(post.signal.reason), { once: true })
    outgoing.on('error', fail)
    outgoing.on('socket', (socket) => {
      // A connection that its receiver has ended is good for nothing more, and must not be taken for the next one.
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
      readAnswer(incoming, post.signal).then((answer) => soon(() => resolve(answer)), reject)
    })
    outgoing.end(post.body)
  })
}

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

function requestOf({ headers, body }: Post, target: RequestOptions): ClientRequest {
  const all = { Accept: '*/*', ...headers, 'Content-Length': body.length }
  return (target.protocol === 'https:' ? overHttps : overHttp)({ ...target, headers: all })
}

function targetOf(url: string): RequestOptions {
  const options = urlToHttpOptions(new URL(url))
  return { ...options, method: 'POST', agent: options.protocol === 'https:' ? agents.https : agents.http }
}
