import type { Attempt, Delivery } from '../../../core/webhook/delivery.js'
import { instant } from '../instant.js'
import type { AttemptShape, DeliveryShape } from '../shapes.js'

/** A delivery as the control API shows it, with the exact bytes of every attempt. */
export function deliveryShape(delivery: Delivery): DeliveryShape {
  const { id, taskId, event, url, state, createdAt, nextAt, attempts, rule, copyOf } = delivery
  return {
    id,
    task_id: taskId,
    event,
    url,
    state,
    created_at: instant(createdAt),
    next_attempt_at: instant(nextAt),
    mischief: rule,
    copy_of: copyOf,
    attempts: attempts.map(attemptShape),
  }
}

function attemptShape({
  number,
  startedAt,
  took,
  status,
  error,
  retryAt,
  sent,
  flaw,
  answer,
}: Attempt): AttemptShape {
  return {
    number,
    started_at: instant(startedAt),
    took_ms: Math.round(took * 1_000) / 1_000,
    status,
    error,
    flaw,
    retry_at: instant(retryAt),
    request: {
      headers: sent.headers,
      body: new TextDecoder().decode(sent.body),
      body_base64: base64(sent.body),
    },
    response: answer && { status: answer.status, headers: answer.headers, body: answer.body },
  }
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
