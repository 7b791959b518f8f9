import type { TaskWebhooks } from '../../dialects/tasks/webhooks.js'
import { DEFAULT_TASK_ERROR } from '../../engine/tasks/task.js'
import { type SignedAttempt, type SigningKeys, signAttempt } from '../../engine/webhooks/sign-attempt.js'
import type { WebhookFault } from '../../engine/webhooks/webhook-fault.js'
import type { EventName } from '../../scenario/model/events.js'
import type { ProbeRequest } from './send-request.js'

/** The settings of the probes. */
export interface ProbeContext {
  readonly keys: SigningKeys<TaskWebhooks>
  /** The id of the task in all events; if undefined, each probe uses its own id. */
  readonly taskId: string | undefined
  /** Whether the secret is being rotated, so that the receiver must also accept the previous secret. */
  readonly isRotating: boolean
}

/** An event as the service sends it. */
export interface WebhookEvent {
  readonly event: string
  readonly task: { readonly id: string; readonly [field: string]: unknown }
}

const OUTPUT = { images: ['https://example.com/files/0.png'] }

/** The event of an ended task. */
export function eventFor(name: EventName, id: string): WebhookEvent {
  switch (name) {
    case 'task.succeeded':
      return { event: name, task: { id, status: 'succeeded', output: OUTPUT } }
    case 'task.failed':
      return { event: name, task: { id, status: 'failed', error: DEFAULT_TASK_ERROR } }
    default:
      return { event: name, task: { id, status: 'canceled' } }
  }
}

/** An id in the format of the service, the same in every run. */
export function idFor(probe: string): string {
  return `task_${probe
    .replace(/[^a-z0-9]/gi, '')
    .slice(0, 24)
    .padEnd(24, '0')}`
}

const encoder = new TextEncoder()

/** The bytes of an event as the service writes it. */
export function bytesOf(event: WebhookEvent): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(event))
}

/** Signs a body, and applies the body and signature faults of a webhook fault. */
export function sign(
  body: Uint8Array<ArrayBuffer>,
  { keys }: ProbeContext,
  fault?: WebhookFault,
): SignedAttempt {
  return signAttempt({ id: 'probe', at: 0, body }, keys, fault)
}

/** A request with a body and its signature. */
export function requestFor({ body, headers }: SignedAttempt, type = 'application/json'): ProbeRequest {
  return { body, headers: { 'Content-Type': type, ...headers } }
}

/** A request with a correctly signed body. */
export function genuine(body: Uint8Array<ArrayBuffer>, context: ProbeContext, type?: string): ProbeRequest {
  return requestFor(sign(body, context), type)
}
