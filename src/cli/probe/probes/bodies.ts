import { tamper } from '../../../engine/webhooks/tamper.js'
import type { BodyFault } from '../../../engine/webhooks/webhook-fault.js'
import { bytesOf, eventFor, genuine, shotOf } from '../context.js'
import { type Advice, mustAccept, mustSurvive } from '../judges.js'
import { once, type Probe } from '../probe.js'
import { forged, withWebhookFault } from './signatures.js'

const NOT_THE_BYTES: Advice = {
  why: 'The signature is taken of something else than the bytes that came, so the event can be changed on its way.',
  remedy: 'Compute HMAC-SHA256 over the raw body, as it came, before any parser had it.',
}

const OWN_JSON: Advice = {
  why: 'The receiver verifies what its own JSON writer makes of the body. The first change in how the service writes JSON loses all events.',
  remedy: 'Compute HMAC-SHA256 over the raw body: express.raw(), request.text(), request.get_data().',
}

const STRICT: Advice = {
  why: 'Services add fields without notice; a receiver that refuses them loses all events from that day on.',
  remedy: 'Ignore fields that you do not know.',
}

const BYTES: Advice = {
  why: 'Prompts and messages are in every language. A receiver that verifies characters instead of bytes loses these.',
  remedy: 'Compute HMAC-SHA256 over the raw bytes, or decode them as UTF-8 and nothing else.',
}

const TOO_SMALL: Advice = {
  why: 'Outputs of LLMs and long lists of files make large events; each is refused at every retry, and lost.',
  remedy: 'Allow at least 1 MB for the body: express.raw({ limit: "1mb" }), client_max_body_size 1m.',
}

/** Bodies that are damaged, unusual, or no events at all. */
export const BODIES: readonly Probe[] = [
  forged(
    'changed',
    'A changed body under the signature of the original',
    withWebhookFault({ body: 'changed' }),
    NOT_THE_BYTES,
  ),
  forged(
    'truncated',
    'Half of a body under the signature of the whole',
    withWebhookFault({ body: 'truncated' }),
    NOT_THE_BYTES,
  ),
  unusual('spaced', 'JSON with blanks and line breaks, rightly signed', 'spaced', OWN_JSON),
  unusual('reordered', 'JSON with its fields in another order, rightly signed', 'reordered', OWN_JSON),
  unusual('extra-field', 'A field that is not known yet, rightly signed', 'extra_field', STRICT),
  {
    id: 'non-ascii',
    title: 'A message with letters beyond ASCII, rightly signed',
    expected: '2xx',
    run: once(({ context, taskId }) => {
      const error = { code: 'content_policy', message: 'Für „日本語“ nicht möglich \u2028🙈' }
      return genuine(
        bytesOf({ event: 'task.failed', task: { id: taskId, status: 'failed', error } }),
        context,
      )
    }),
    judge: mustAccept(BYTES),
  },
  {
    id: 'large-event',
    title: 'An event of 256 KB, rightly signed',
    expected: '2xx',
    run: once(({ context, taskId }) => {
      const message = { role: 'assistant', content: 'All work and no play. '.repeat(12_000) }
      const task = { id: taskId, status: 'succeeded', output: { message, finish_reason: 'stop' } }
      return genuine(bytesOf({ event: 'task.succeeded', task }), context)
    }),
    judge: mustAccept(TOO_SMALL, 'warning'),
  },
  noEvent('not-json', 'A body that is no JSON, rightly signed', 'event=task.succeeded'),
  noEvent('null-body', 'The JSON null, rightly signed', 'null'),
  noEvent('no-task', 'An event without a task, rightly signed', '{"event":"task.succeeded"}'),
  noEvent('empty-body', 'No body at all, rightly signed', ''),
]

/** A body that a sender may well choose. */
function unusual(id: string, title: string, body: BodyFault, advice: Advice): Probe {
  return {
    id,
    title,
    expected: '2xx',
    run: once(({ context, taskId }) =>
      shotOf(tamper(bytesOf(eventFor('task.succeeded', taskId)), { body }, context.keys), context),
    ),
    judge: mustAccept(advice),
  }
}

/** A body that no service sends, and that must do no harm. */
function noEvent(id: string, title: string, text: string): Probe {
  return {
    id,
    title,
    expected: 'any answer but a 5xx',
    run: once(({ context }) => genuine(new TextEncoder().encode(text), context)),
    judge: mustSurvive,
  }
}
