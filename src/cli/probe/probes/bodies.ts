import type { BodyFault } from '../../../engine/webhooks/webhook-fault.js'
import { type Advice, mustAccept, mustSurvive } from '../assess.js'
import { bytesOf, eventFor, genuine, requestFor, sign } from '../context.js'
import { once, type Probe } from '../probe.js'
import { forged, withWebhookFault } from './signatures.js'

const UNVERIFIED_BYTES: Advice = {
  why: 'The receiver does not verify the bytes that it received, so anyone can change an event in transit.',
  remedy: 'Compute HMAC-SHA256 over the raw body, before any parser reads it.',
}

const RESERIALIZED: Advice = {
  why: 'The receiver verifies its own serialization of the body. When the service formats JSON differently, every event is lost.',
  remedy: 'Compute HMAC-SHA256 over the raw body: express.raw(), request.text(), request.get_data().',
}

const REJECTS_NEW_FIELDS: Advice = {
  why: 'Services add fields without notice. A receiver that rejects them loses every event from then on.',
  remedy: 'Ignore unknown fields.',
}

const DECODES_FIRST: Advice = {
  why: 'Prompts and messages can be in any language. A receiver that verifies characters instead of bytes loses these events.',
  remedy: 'Compute HMAC-SHA256 over the raw bytes, or decode them as UTF-8.',
}

const TOO_SMALL: Advice = {
  why: 'LLM outputs and long file lists make large events. The receiver also rejects every retry, so the events are lost.',
  remedy: 'Allow at least 1 MB for the body: express.raw({ limit: "1mb" }), client_max_body_size 1m.',
}

/** Damaged and unusual bodies, and bodies that are not events. */
export const BODIES: readonly Probe[] = [
  forged(
    'changed',
    'A changed body with the signature of the original',
    withWebhookFault({ body: 'changed' }),
    UNVERIFIED_BYTES,
  ),
  forged(
    'truncated',
    'Half of the body with the signature of the whole',
    withWebhookFault({ body: 'truncated' }),
    UNVERIFIED_BYTES,
  ),
  unusual('spaced', 'JSON with spaces and line breaks, correctly signed', 'spaced', RESERIALIZED),
  unusual('reordered', 'JSON with its fields in another order, correctly signed', 'reordered', RESERIALIZED),
  unusual('extra-field', 'An unknown field, correctly signed', 'extra_field', REJECTS_NEW_FIELDS),
  {
    id: 'non-ascii',
    title: 'A message with non-ASCII characters, correctly signed',
    expected: '2xx',
    run: once(({ context, taskId }) => {
      const error = { code: 'content_policy', message: 'Für „日本語“ nicht möglich \u2028🙈' }
      return genuine(
        bytesOf({ event: 'task.failed', task: { id: taskId, status: 'failed', error } }),
        context,
      )
    }),
    assess: mustAccept(DECODES_FIRST),
  },
  {
    id: 'large-event',
    title: 'An event of 256 KB, correctly signed',
    expected: '2xx',
    run: once(({ context, taskId }) => {
      const message = { role: 'assistant', content: 'All work and no play. '.repeat(12_000) }
      const task = { id: taskId, status: 'succeeded', output: { message, finish_reason: 'stop' } }
      return genuine(bytesOf({ event: 'task.succeeded', task }), context)
    }),
    assess: mustAccept(TOO_SMALL, 'warning'),
  },
  notAnEvent('not-json', 'A body that is not JSON, correctly signed', 'event=task.succeeded'),
  notAnEvent('null-body', 'The JSON value null, correctly signed', 'null'),
  notAnEvent('no-task', 'An event without a task, correctly signed', '{"event":"task.succeeded"}'),
  notAnEvent('empty-body', 'An empty body, correctly signed', ''),
]

/** A valid body in an unusual format. */
function unusual(id: string, title: string, body: BodyFault, advice: Advice): Probe {
  return {
    id,
    title,
    expected: '2xx',
    run: once(({ context, taskId }) =>
      requestFor(sign(bytesOf(eventFor('task.succeeded', taskId)), context, { body })),
    ),
    assess: mustAccept(advice),
  }
}

/** A body that no service sends. The receiver may accept or reject it, but must not crash. */
function notAnEvent(id: string, title: string, text: string): Probe {
  return {
    id,
    title,
    expected: 'any response except 5xx',
    run: once(({ context }) => genuine(new TextEncoder().encode(text), context)),
    assess: mustSurvive,
  }
}
