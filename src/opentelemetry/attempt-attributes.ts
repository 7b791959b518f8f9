import type { Attributes } from '@opentelemetry/api'
import { maskUrl } from '../engine/mask.js'
import { type Attempt, type Delivery, isTimeout } from '../engine/webhooks/deliveries/delivery.js'
import { addressAttributes, errorType } from './http-attributes.js'

/** The attributes of a webhook attempt in metrics, each with few different values. */
export function attemptAttributes({ url }: Delivery, attempt: Attempt): Attributes {
  return {
    'http.request.method': 'POST',
    ...addressAttributes(url),
    ...(attempt.status !== undefined && { 'http.response.status_code': attempt.status }),
    ...errorType(attemptError(attempt)),
  }
}

/** Further attributes of a webhook attempt in its span. Secrets in the URL are masked. */
export function attemptDetails({ id, url, event, rule, copyOf }: Delivery, attempt: Attempt): Attributes {
  return {
    'url.full': maskUrl(url),
    ...(attempt.number > 1 && { 'http.request.resend_count': attempt.number - 1 }),
    'tasksim.webhook.delivery.id': id,
    'tasksim.webhook.event': event,
    ...(rule !== undefined && { 'tasksim.webhook.rule': rule }),
    ...(attempt.flaw !== undefined && { 'tasksim.webhook.flaw': attempt.flaw }),
    ...(copyOf !== undefined && { 'tasksim.webhook.copy_of': copyOf }),
  }
}

/** The type of the error that the sender of a webhook reports; undefined if the receiver has accepted it. */
export function attemptError({ status, error }: Attempt): string | undefined {
  if (status === undefined) return isTimeout(error ?? '') ? 'timeout' : 'no_response'
  return status >= 300 ? String(status) : undefined
}
