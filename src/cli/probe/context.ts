import type { EventName } from '../../engine/webhooks/event.js'
import { type Seal, type Sealed, seal } from '../../engine/webhooks/tamper.js'
import type { Shot } from './exchange.js'

/** What probes are made from. */
export interface ProbeContext {
  readonly keys: Seal
  /** The task that all events tell of; each probe has one of its own where undefined. */
  readonly taskId: string | undefined
  /** Whether the receiver is in the middle of a rotation, so that it should know the previous secret too. */
  readonly isRotating: boolean
}

/** An event as the service sends it. */
export interface WebhookEvent {
  readonly event: string
  readonly task: { readonly id: string; readonly [field: string]: unknown }
}

const OUTPUT = { images: ['https://example.com/files/0.png'] }
const ERROR = { code: 'generation_failed', message: 'The generation could not be completed.' }

/** An event of a task that has ended. */
export function eventFor(name: EventName, id: string): WebhookEvent {
  switch (name) {
    case 'task.succeeded':
      return { event: name, task: { id, status: 'succeeded', output: OUTPUT } }
    case 'task.failed':
      return { event: name, task: { id, status: 'failed', error: ERROR } }
    default:
      return { event: name, task: { id, status: 'canceled' } }
  }
}

/** An id that looks like the service's, and is the same in every run. */
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

/** A body and its signature as a request. */
export function shotOf({ body, signature }: Sealed, { keys }: ProbeContext, type = 'application/json'): Shot {
  return {
    body,
    headers: {
      'Content-Type': type,
      ...(signature !== undefined && { [keys.format.header]: signature }),
    },
  }
}

/** A body, rightly signed, as a request. */
export function genuine(body: Uint8Array<ArrayBuffer>, context: ProbeContext, type?: string): Shot {
  return shotOf(seal(body, context.keys), context, type)
}
