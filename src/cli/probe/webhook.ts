import { systemNow } from '../../engine/clock/system-clock.js'
import { base62, Chance } from '../../engine/random.js'
import type { TaskEvent } from '../../engine/webhooks/events/task-event.js'
import type { WebhookFault } from '../../engine/webhooks/faults/webhook-fault.js'
import { signAttempt } from '../../engine/webhooks/signing/sign-attempt.js'
import type { WebhookMessage } from '../../engine/webhooks/webhook-format.js'
import { bodyOf, mainEventOf, nameOf, stateOf } from './events.js'
import type { ProbeTools } from './probe.js'
import type { ProbeRequest } from './send-request.js'

type Headers = Readonly<Record<string, string>>

/** A webhook before it is signed. */
export interface ProbeWebhook {
  readonly message: WebhookMessage
  /** The headers that are not part of the signature. */
  readonly headers: Headers
}

const CHANCE = Chance.of('probe')

/** A webhook about an event, by default about the success of a task. The same event has the same id, as in a retry. */
export function webhookOf(
  { context, id, taskId }: ProbeTools,
  event: TaskEvent = mainEventOf(context),
  body = bodyOf(event, taskId, context),
): ProbeWebhook {
  const { headers } = context.keys.format
  const messageId = `msg_${base62(CHANCE.stream(`message ${id} ${event}`), 24)}`
  return {
    message: { id: messageId, at: systemNow(), body },
    headers: headers?.(nameOf(event, context), stateOf(event, taskId, context)) ?? {},
  }
}

/** The id of the task in the events of a probe, in the format of the service; the same in every run. */
export function taskIdFor(probe: string, { context }: Pick<ProbeTools, 'context'>): string {
  return context.taskId ?? context.dialect.taskIds.draw(CHANCE.stream(`task ${probe}`))
}

/** A request with a webhook, correctly signed except for a fault. */
export async function signed(
  { message, headers }: ProbeWebhook,
  { context }: ProbeTools,
  { fault, type }: { readonly fault?: WebhookFault; readonly type?: string } = {},
): Promise<ProbeRequest> {
  const attempt = await signAttempt(message, context.keys, fault)
  return requestFor(attempt.body, { ...headers, ...attempt.headers }, type)
}

/** A request with a body and the headers of a webhook. */
export function requestFor(body: Uint8Array, headers: Headers, type = 'application/json'): ProbeRequest {
  return { body, headers: { 'Content-Type': type, ...headers } }
}
