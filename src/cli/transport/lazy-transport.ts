import { LazyPart } from '../../engine/lazy-part.js'
import type { TargetPolicy } from '../../engine/webhooks/attempts/target-policy.js'
import type { Transport } from '../../engine/webhooks/attempts/transport.js'

/** Creates the transport of a simulator, whose code and that of TLS are loaded with the first webhook. */
export function lazyTransport(policy: TargetPolicy): Transport {
  const part = new LazyPart(async () => (await import('./node-transport.js')).nodeTransport(policy))
  return async (post) => {
    const send = part.loaded ?? (await part.get())
    post.signal.throwIfAborted()
    return send(post)
  }
}
