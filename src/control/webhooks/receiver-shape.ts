import { mask } from '../../engine/mask.js'
import { maskUrl } from '../../engine/webhooks/mask-url.js'
import type { RegisteredReceiver } from '../../engine/webhooks/receivers.js'
import type { ReceiverShape } from '../shapes.js'

/** A receiver as the control API shows it; secrets are masked. */
export function receiverShape(receiver: RegisteredReceiver): ReceiverShape {
  const { id, url, source, off, secret, previousSecret, events, retries, timeout, ordered } = receiver
  return {
    id,
    url: maskUrl(url),
    source,
    active: off === undefined,
    off_because: off,
    secret: secret && mask(secret),
    previous_secret: previousSecret && mask(previousSecret),
    events,
    retries_ms: retries,
    timeout_ms: timeout,
    ordered: ordered ?? false,
  }
}
