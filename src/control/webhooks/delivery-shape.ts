import { toBase64 } from '../../engine/base64.js'
import { maskUrl } from '../../engine/mask.js'
import type { Answer, Attempt, Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import { instant } from '../instant.js'
import type { AttemptBriefShape, AttemptShape, DeliveryBriefShape, DeliveryShape } from '../shapes.js'

/** A delivery with the exact bytes of every attempt; secrets in URLs are masked. */
export function deliveryShape(delivery: Delivery): DeliveryShape {
  return { ...commonFields(delivery), attempts: delivery.attempts.map(attemptShape) }
}

/** A delivery in a list, without the headers and bodies of its attempts, which may be large. */
export function deliveryBriefShape(delivery: Delivery): DeliveryBriefShape {
  return { ...commonFields(delivery), attempts: delivery.attempts.map(attemptBriefShape) }
}

function commonFields(delivery: Delivery): Omit<DeliveryBriefShape, 'attempts'> {
  const { id, taskId, format, event, url, state, createdAt, nextAt, rule, copyOf } = delivery
  return {
    id,
    task_id: taskId,
    dialect: format,
    event,
    url: maskUrl(url),
    state,
    created_at: instant(createdAt),
    next_attempt_at: instant(nextAt),
    fault: rule,
    copy_of: copyOf,
  }
}

function attemptBriefShape(attempt: Attempt): AttemptBriefShape {
  const { number, startedAt, took, status, error, retryAt, flaw } = attempt
  return {
    number,
    started_at: instant(startedAt),
    took_ms: Math.round(took * 1_000) / 1_000,
    status,
    error,
    flaw,
    retry_at: instant(retryAt),
  }
}

function attemptShape(attempt: Attempt): AttemptShape {
  const { sent, answer } = attempt
  return {
    ...attemptBriefShape(attempt),
    request: {
      headers: sent.headers,
      body: new TextDecoder().decode(sent.body),
      body_base64: toBase64(sent.body),
    },
    response: answer && {
      status: answer.status,
      headers: maskedHeaders(answer.headers),
      body: answer.body,
      partial: answer.partial,
    },
  }
}

/** A redirect may repeat the URL of the receiver, including its secrets. */
function maskedHeaders(headers: Answer['headers']): Answer['headers'] {
  const location = headers?.['location']
  return location === undefined ? headers : { ...headers, location: maskUrl(location) }
}
