import { mask, maskUrl } from '../../engine/mask.js'
import type { RegisteredReceiver, Registration } from '../../engine/webhooks/receivers/receiver.js'
import type { ReceiverShape } from '../shapes.js'

/** A receiver as JSON; secrets are masked. */
export function receiverShape(receiver: RegisteredReceiver): ReceiverShape {
  const { id, url, source, off, secret, previousSecret, retries, timeout, ordered, registration } = receiver
  const events = registration === undefined ? receiver.events : undefined
  return {
    id,
    url: maskUrl(url),
    source,
    registration: registration && registrationShape(registration, receiver.events),
    active: off === undefined,
    off_because: off,
    secret: secret && mask(secret),
    previous_secret: previousSecret && mask(previousSecret),
    events: events as ReceiverShape['events'],
    retries_ms: retries,
    timeout_ms: timeout,
    ordered: ordered ?? false,
  }
}

function registrationShape(
  { owner, dialect, name }: Registration,
  events: readonly string[] | undefined,
): ReceiverShape['registration'] {
  return { dialect, key: mask(owner), name, events: events && [...events] }
}
