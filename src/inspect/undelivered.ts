import { maskUrl } from '../engine/mask.js'
import { type Delivery, sendsPayload } from '../engine/webhooks/deliveries/delivery.js'

/** The id of the check for webhooks that a receiver has not accepted. */
export const UNDELIVERED = 'undelivered-webhooks'

/** Whether a receiver has got the valid event, and has not accepted it. */
export function isUndelivered({ state, attempts }: Delivery): boolean {
  return state !== 'delivered' && attempts.some(({ flaw }) => flaw === undefined)
}

/** An undelivered event with its last answer, in a sentence. */
export function describeUndelivered({ url, event, taskId, attempts }: Delivery): string {
  const { status, error } = attempts.at(-1) ?? {}
  return `${event} of ${taskId} to ${maskUrl(url)}: ${status ?? error ?? 'no response'} at attempt ${attempts.length}.`
}

/** What to do about undelivered events. */
export function remedyFor(undelivered: readonly Delivery[]): string {
  return undelivered.every(isRewritten)
    ? 'The receiver rejected only events whose JSON has other white space, another order of fields or a further field, with a correct signature. Verify the signature of the raw bytes, before the body is parsed, and ignore unknown fields.'
    : 'Answer each webhook with a 2xx before the timeout of the service, such as 15 seconds.'
}

/** Whether a fault has written the event in other bytes, and signed them. */
function isRewritten(delivery: Delivery): boolean {
  return delivery.attempts.every((attempt) => attempt.flaw !== undefined || !sendsPayload(attempt, delivery))
}
