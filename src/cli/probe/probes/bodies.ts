import type { BodyFault } from '../../../engine/webhooks/faults/webhook-fault.js'
import {
  bodyOf,
  bodyWithoutTask,
  largeBody,
  mainEventOf,
  nameOf,
  nonAsciiBody,
  signed,
  webhookOf,
} from '../events.js'
import {
  type Advice,
  mustAccept,
  mustSurvive,
  type Probe,
  type ProbeContext,
  type ProbeTools,
} from '../probe.js'
import type { SignatureRule } from '../signature-rule.js'
import { genuineProbe } from './genuine.js'
import { forgeryProbe } from './signatures.js'

type Bytes = Uint8Array<ArrayBuffer>

const UNVERIFIED_BYTES: Advice = {
  why: 'The receiver does not verify the bytes that it received, so anyone can change an event in transit.',
  remedy: 'Compute the signature over the raw body, before any parser reads it.',
}

const RESERIALIZED: Advice = {
  why: 'The receiver verifies its own serialization of the body. When the service formats JSON differently, every event is lost.',
  remedy: 'Compute the signature over the raw body: express.raw(), request.text(), request.get_data().',
}

/** In place of {@link RESERIALIZED} if the body is not signed. */
const OWN_FORMAT: Advice = {
  why: 'The receiver expects one format of JSON. When the service formats JSON differently, every event is lost.',
  remedy: 'Read the body with a JSON parser, and do not rely on the order of fields.',
}

const REJECTS_NEW_FIELDS: Advice = {
  why: 'Services add fields without notice. A receiver that rejects them loses every event from then on.',
  remedy: 'Ignore unknown fields.',
}

const DECODES_FIRST: Advice = {
  why: 'Prompts and messages can be in any language. A receiver that verifies characters instead of bytes loses these events.',
  remedy: 'Compute the signature over the raw bytes, or decode them as UTF-8.',
}

/** In place of {@link DECODES_FIRST} if the body is not signed. */
const OTHER_LANGUAGES: Advice = {
  why: 'Prompts and messages can be in any language. The receiver loses these events.',
  remedy: 'Decode the body as UTF-8.',
}

const TOO_SMALL: Advice = {
  why: 'LLM outputs and long file lists make large events. The receiver also rejects every retry, so the events are lost.',
  remedy: 'Allow at least 1 MB for the body: express.raw({ limit: "1mb" }), client_max_body_size 1m.',
}

/** Damaged and unusual bodies, and bodies that are not events. */
export function bodyProbes(context: ProbeContext): readonly Probe[] {
  const { rule, keys } = context
  const example = keys.format.exampleTaskId
  return [
    ...(rule?.coversBody ? damaged(rule) : []),
    ...unusual(context),
    ...(nonAsciiBody(example, context) ? [nonAscii(context)] : []),
    ...(largeBody(example, context) ? [large(context)] : []),
    ...notEvents(context),
  ]
}

/** Valid bodies in another format. */
function unusual(context: ProbeContext): Probe[] {
  const otherFormat = context.rule?.coversBody ? RESERIALIZED : OWN_FORMAT
  const probe = (id: string, title: string, fault: BodyFault, advice: Advice) =>
    genuineProbe(context, id, title, mustAccept(advice), (tools) =>
      signed(webhookOf(tools), tools, { fault: { body: fault } }),
    )
  return [
    probe('spaced', 'JSON with spaces and line breaks', 'spaced', otherFormat),
    probe('reordered', 'JSON with its fields in another order', 'reordered', otherFormat),
    probe('extra-field', 'An unknown field', 'extra_field', REJECTS_NEW_FIELDS),
  ]
}

function nonAscii(context: ProbeContext): Probe {
  const assess = mustAccept(context.rule?.coversBody ? DECODES_FIRST : OTHER_LANGUAGES)
  return genuineProbe(context, 'non-ascii', 'A message with non-ASCII characters', assess, (tools) =>
    signed(webhookOf(tools, 'task.failed', nonAsciiBody(tools.taskId, context)), tools),
  )
}

function large(context: ProbeContext): Probe {
  const assess = mustAccept(TOO_SMALL, 'warning')
  return genuineProbe(context, 'large-event', 'An event of 256 KB', assess, (tools) =>
    signed(webhookOf(tools, mainEventOf(context), largeBody(tools.taskId, context)), tools),
  )
}

/** Bodies that no service sends. The receiver may accept or reject them, but must not crash. */
function notEvents(context: ProbeContext): Probe[] {
  const event = mainEventOf(context)
  const probe = (id: string, title: string, write: (tools: ProbeTools) => Bytes): Probe => ({
    ...genuineProbe(context, id, title, mustSurvive, (tools) =>
      signed(webhookOf(tools, event, write(tools)), tools),
    ),
    expected: 'any response except 5xx',
  })
  return [
    probe('not-json', 'A body that is not JSON', () => bytes(`event=${nameOf(event, context)}`)),
    probe('null-body', 'The JSON value null', () => bytes('null')),
    probe('no-task', 'An event without a task id', ({ taskId }) =>
      bodyWithoutTask(bodyOf(event, taskId, context), taskId),
    ),
    probe('empty-body', 'An empty body', () => bytes('')),
  ]
}

/** Bodies that were damaged or changed after signing. */
function damaged(rule: SignatureRule): Probe[] {
  return [
    forgeryProbe('changed', 'A changed body with the signature of the original', rule, UNVERIFIED_BYTES),
    forgeryProbe('truncated', 'Half of the body with the signature of the whole', rule, UNVERIFIED_BYTES),
  ]
}

function bytes(text: string): Bytes {
  return new TextEncoder().encode(text)
}
